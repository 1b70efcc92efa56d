#include "lab/product_probe.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

constexpr int kMostOfASide = 2000;  // a half holds whole numbers up to 2,048 exactly

// A number from 0 to 2,047 as the bits of a half.
uint16_t half_bits(int number) {
    if (number == 0) return 0;
    int exponent = 0;
    while (number >> (exponent + 1)) ++exponent;
    int digits = (number << (10 - exponent)) & 0x3ff;
    return static_cast<uint16_t>((exponent + 15) << 10 | digits);
}

// One launch's buffers and arguments, packed as the driver packs them.
class Launch {
  public:
    Launch(ProductSize size, uint32_t element_bytes, const ProbeMaps& maps)
        : size_(size), bytes_(element_bytes) {
        auto elements = [](int rows, int cols) {
            return std::max(uint64_t{1}, static_cast<uint64_t>(rows) * static_cast<uint64_t>(cols));
        };
        std::vector<uint64_t> buffers = {memory_.allocate(elements(size.M, size.K) * bytes_, "A"),
                                         memory_.allocate(elements(size.K, size.N) * bytes_, "B"),
                                         memory_.allocate(elements(size.M, size.N) * 4, "C")};
        for (uint64_t buffer : buffers) put(arguments_.size(), buffer);
        for (int side : {size.M, size.N, size.K}) put(arguments_.size(), side);
        std::vector<TensorMapBytes> made =
            maps.made ? maps.made(buffers) : std::vector<TensorMapBytes>();
        for (size_t i = 0; i < made.size(); ++i) put(maps.offsets[i], made[i]);
    }

    using Value = std::function<int(int row, int col)>;
    void fill_with_numbers(const Value& of_a, const Value& of_b) {
        fill(0, size_.M, size_.K, of_a);
        fill(1, size_.K, size_.N, of_b);
    }
    // Bit patterns from 1 on, all different.
    void number_elements() {
        uint32_t next = 1;
        for (size_t matrix = 0; matrix < 2; ++matrix) {
            const Memory::Buffer& buffer = memory_.buffers()[matrix];
            for (uint64_t at = 0; at < buffer.bytes; at += bytes_, ++next)
                std::memcpy(buffer.storage + at, &next, bytes_);
        }
    }
    ReuseCounter::Matrix matrix(size_t which) const {
        const Memory::Buffer& buffer = memory_.buffers()[which];
        return {which == 0 ? size_.M : size_.K, which == 0 ? size_.K : size_.N, bytes_,
                buffer.address, buffer.storage};
    }
    void run(const Machine& machine, const LaunchShape& shape, uint64_t begin, uint64_t end,
             Observer& observer) {
        machine.run(shape, arguments_, memory_, begin, end, observer);
    }

  private:
    void fill(size_t which, int rows, int cols, const Value& value) {
        std::byte* to = memory_.buffers()[which].storage;
        for (int row = 0; row < rows; ++row)
            for (int col = 0; col < cols; ++col, to += bytes_) {
                float number = static_cast<float>(value(row, col));
                uint16_t half = half_bits(value(row, col));
                std::memcpy(to, bytes_ == 2 ? static_cast<void*>(&half) : &number, bytes_);
            }
    }

    template <typename T>
    void put(size_t offset, const T& value) {
        arguments_.resize(std::max(arguments_.size(), offset + sizeof value));
        std::memcpy(&arguments_[offset], &value, sizeof value);
    }

    ProductSize size_;
    uint32_t bytes_;
    Memory memory_;
    std::vector<std::byte> arguments_;
};

int row_number(int row, int) { return row + 1; }
int col_number(int, int col) { return col + 1; }
int one(int, int) { return 1; }

// Only the first column of A and the first row of B are not zero, so that C's elements are what
// these say.
Launch::Value in_first_col(const Launch::Value& value) {
    return [value](int row, int col) { return col == 0 ? value(row, col) : 0; };
}
Launch::Value in_first_row(const Launch::Value& value) {
    return [value](int row, int col) { return row == 0 ? value(row, col) : 0; };
}

}  // namespace

FragmentMap fragment_map(const Machine& machine, const LaunchShape& shape, ProductSize size,
                         uint32_t element_bytes, uint32_t block, uint32_t warp, uint64_t product,
                         const ProbeMaps& maps) {
    if (size.M > kMostOfASide || size.N > kMostOfASide || size.K > kMostOfASide)
        throw Error(Status::bad_input,
                    "to see which lane holds what, choose M, N and K up to 2,000");
    Launch launch(size, element_bytes, maps);
    auto read = [&](const Launch::Value& of_a, const Launch::Value& of_b) {
        launch.fill_with_numbers(of_a, of_b);
        FragmentReader reader(warp, product);
        launch.run(machine, shape, block, block + 1, reader);
        if (!reader.found())
            throw Error(Status::bad_input, "warp " + std::to_string(warp) + " of block " +
                                               std::to_string(block) + " multiplies " +
                                               with_thousands(reader.products()) +
                                               " times with tensor cores; there is no number " +
                                               with_thousands(product));
        return reader;
    };
    FragmentReader rows = read(row_number, row_number), cols = read(col_number, col_number);
    FragmentReader c_rows = read(in_first_col(row_number), in_first_row(one));
    FragmentReader c_cols = read(in_first_col(one), in_first_row(col_number));
    return {rows.instruction(), held_fragment(rows.a(), cols.a()),
            held_fragment(rows.b(), cols.b()), held_fragment(c_rows.c(), c_cols.c())};
}

std::vector<ReuseMap> reuse_maps(const Machine& machine, const LaunchShape& shape, ProductSize size,
                                 uint32_t element_bytes, const ProbeMaps& maps) {
    int64_t elements = int64_t{size.M} * size.K + int64_t{size.K} * size.N;
    if (element_bytes == 2 && elements > 0xffff)
        throw Error(Status::bad_input,
                    "to see how often each element is fetched, choose M, N and K so that A and B "
                    "together have at most 65,535 halves");
    Launch launch(size, element_bytes, maps);
    launch.number_elements();
    const ReuseCounter::Matrix matrices[] = {launch.matrix(0), launch.matrix(1)};
    ReuseCounter counter(matrices);
    launch.run(machine, shape, 0, shape.grid.count(), counter);
    return counter.maps();
}

}  // namespace lanewise
