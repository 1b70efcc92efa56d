#include "lab/analysis/product_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "sim/memory/memory.h"

namespace lanewise {

namespace {

// A place of C: the corners first, then by turns on each edge and twice anywhere.
struct Place {
    int64_t row, col;
};
Place place(uint64_t number, int64_t rows, int64_t cols) {
    int64_t last_row = rows - 1, last_col = cols - 1;
    auto any = [&](int64_t count, uint32_t salt) {
        uint32_t word = unique_word(static_cast<uint32_t>(2 * number) + salt);
        return static_cast<int64_t>(word) % count;
    };
    const Place corners[] = {{0, 0}, {last_row, last_col}, {0, last_col}, {last_row, 0}};
    if (number < 4) return corners[number];
    switch (number % 6) {
        case 0:
            return {last_row, any(cols, 0)};
        case 1:
            return {any(rows, 0), last_col};
        case 2:
            return {0, any(cols, 0)};
        case 3:
            return {any(rows, 0), 0};
        default:
            return {any(rows, 0), any(cols, 1)};
    }
}

// Rows and columns of which a block writes every element.
struct Rectangle {
    std::vector<int64_t> rows, cols;
};

// All of its elements, which are in order. A block may write several tiles, far apart.
std::vector<Rectangle> rectangles_of(const std::vector<uint64_t>& elements, int64_t n) {
    std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> rows_of;  // by columns
    for (size_t i = 0; i < elements.size();) {
        auto row = static_cast<int64_t>(elements[i]) / n;
        auto begin = static_cast<int64_t>(elements[i]) % n, end = begin;
        while (i < elements.size() && static_cast<int64_t>(elements[i]) == row * n + end && end < n)
            ++i, ++end;
        rows_of[{begin, end}].push_back(row);
    }
    std::vector<Rectangle> rectangles;
    for (auto& [columns, rows] : rows_of) {
        Rectangle& made = rectangles.emplace_back();
        made.rows = std::move(rows);
        for (int64_t col = columns.first; col < columns.second; ++col) made.cols.push_back(col);
    }
    return rectangles;
}

}  // namespace

std::string in_words(const BlockSample& s) {
    return fmt::format(
        "In a sample all is right: {} of {} blocks have computed {} of {} elements. They lie at "
        "the corners and edges of C and spread over the rest. All blocks together write each "
        "element once.",
        with_thousands(s.blocks), with_thousands(s.of_blocks), with_thousands(s.elements),
        with_thousands(s.of_elements));
}

uint64_t blocks_to_sample(const Job& job) {
    constexpr uint64_t kMost = 64, kFewest = 4;
    constexpr double kQuick = 0x1p33;  // multiplications: some seconds
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    double of_block =
        flops_of(job.rows, job.cols, job.inner) / 2 / static_cast<double>(launch.grid.count());
    if (of_block * kMost <= kQuick) return kMost;
    return std::max(kFewest, static_cast<uint64_t>(kQuick / of_block));
}

std::vector<uint64_t> choose_blocks(std::span<const uint32_t> owner, int64_t rows, int64_t cols,
                                    uint64_t blocks, uint64_t most) {
    constexpr uint64_t kTriesOfEach = 16;
    std::set<uint64_t> chosen;
    for (uint64_t n = 0; n < kTriesOfEach * most && chosen.size() < most; ++n) {
        Place at = place(n, rows, cols);
        uint32_t by = owner[static_cast<size_t>(at.row * cols + at.col)];
        if (by != BlockOwners::kNobody) chosen.insert(by - 1);
    }
    for (uint64_t block = 0; block < blocks && chosen.size() < most; ++block) chosen.insert(block);
    return {chosen.begin(), chosen.end()};
}

ProductSample::ProductSample(const Job& job, const PreparedKernel& prepared,
                             const LaunchShape& launch, uint64_t blocks, int threads,
                             const CancelFlag* cancel)
    : product_(product_of(job)), of_blocks_(launch.grid.count()) {
    BlockOwners owners(job, prepared, launch, threads, cancel);
    findings_ = owners.findings();
    const std::vector<uint32_t>& owner = owners.of();
    blocks_ = choose_blocks(owner, job.rows, job.cols, of_blocks_, blocks);
    constexpr size_t kNoPart = SIZE_MAX;
    std::vector<size_t> part_of(of_blocks_ + 1, kNoPart);  // by owner
    for (size_t i = 0; i < blocks_.size(); ++i) part_of[blocks_[i] + 1] = i;
    parts_.resize(blocks_.size());
    for (uint64_t i = 0; i < owner.size(); ++i) {
        if (owner[i] == BlockOwners::kNobody && unwritten_++ == 0) first_unwritten_ = i;
        if (size_t part = part_of[owner[i]]; part != kNoPart) parts_[part].elements.push_back(i);
    }
    for (const Part& part : parts_) elements_ += part.elements.size();
}

uint64_t ProductSample::host_bytes(const Product& p) {
    uint64_t own = (sizeof(uint32_t) + sizeof(float)) * Product::elements(p.m, p.n);
    return p.a_bytes() + p.b_bytes() + p.c_bytes() + own;
}

void ProductSample::prepare(StageLaunch& launch, int threads, const CancelFlag* cancel) const {
    fill_a(launch.buffer(0), product_, threads, cancel);
    fill_b(launch.buffer(1), product_, threads, cancel);
    poison(launch.output());
}

void ProductSample::poison(std::span<std::byte> c) const {
    for (const Part& part : parts_)
        for (uint64_t element : part.elements)
            std::memcpy(&c[sizeof(float) * element], &kProductPoison, sizeof kProductPoison);
}

// By element, as a whole C is judged.
std::vector<ProductSample::Held> ProductSample::references(int threads,
                                                           const CancelFlag* cancel) const {
    std::vector<Rectangle> all;
    for (const Part& part : parts_) {
        std::vector<Rectangle> of_part = rectangles_of(part.elements, product_.n);
        std::move(of_part.begin(), of_part.end(), std::back_inserter(all));
    }
    std::vector<std::vector<Held>> held(all.size());
    in_ranges(all.size(), 1, threads, [&](int, uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i) {
            const auto& [rows, cols] = all[i];
            ProductReference reference = product_reference(product_, rows, cols, 1, cancel);
            size_t at = 0;
            for (int64_t row : rows)
                for (int64_t col : cols) {
                    held[i].push_back({static_cast<uint64_t>(row * product_.n + col),
                                       reference.value[at], reference.magnitude[at]});
                    ++at;
                }
        }
    });
    std::vector<Held> by_element;
    for (const std::vector<Held>& some : held)
        by_element.insert(by_element.end(), some.begin(), some.end());
    std::sort(by_element.begin(), by_element.end(),
              [](const Held& x, const Held& y) { return x.element < y.element; });
    return by_element;
}

// Elements that have no block at all are wrong, whether one would have looked there or not.
void ProductSample::note_unwritten(Analysis& analysis) const {
    if (unwritten_ == 0) return;
    auto n = static_cast<uint64_t>(product_.n);
    int64_t row = static_cast<int64_t>(first_unwritten_ / n),
            col = static_cast<int64_t>(first_unwritten_ % n);
    analysis.notes.push_back(fmt::format(
        "No block writes {} of C, the first in row {}, column {}: all {} were interpreted with "
        "K = 0.",
        counted(unwritten_, "element"), row, col, counted(of_blocks_, "block")));
    Mismatch& mismatch = analysis.mismatch;
    if (mismatch.count == 0) {
        ProductReference reference =
            product_reference(product_, std::span(&row, 1), std::span(&col, 1), 1);
        mismatch = {0, row, col, fmt::format("{:.9g}", reference.value[0]), "nothing"};
    }
    mismatch.count += unwritten_;
}

void ProductSample::judge(std::span<const std::byte> c, Analysis& analysis, int threads,
                          const CancelFlag* cancel) const {
    auto written = [&](uint64_t element) {
        float value;
        std::memcpy(&value, &c[sizeof value * element], sizeof value);
        return value;
    };
    ProductJudge judge(bound_of(product_), product_.n);
    std::vector<Held> held = references(threads, cancel);
    auto next = held.begin();
    for (uint64_t i = 0; i < Product::elements(product_.m, product_.n); ++i) {
        if (next != held.end() && next->element == i) {
            judge.look(i, written(i), next->value, next->magnitude);
            ++next;
        } else if (written(i) != 0) {
            throw Error(Status::bad_input,
                        fmt::format("some blocks of {} do not stand for all: with K = {} they "
                                    "write other elements than with K = 0; interpret all of them",
                                    analysis.stage, product_.k));
        }
    }
    analysis.mismatch = judge.mismatch();
    analysis.error = judge.error();
    analysis.sample = {blocks_.size(), of_blocks_, elements_,
                       Product::elements(product_.m, product_.n)};
    note_unwritten(analysis);
    for (const Finding& finding : findings_) {
        std::vector<Finding>& all = analysis.report.findings;
        bool known = std::any_of(all.begin(), all.end(), [&](const Finding& other) {
            return std::tie(other.kind, other.file, other.line, other.column) ==
                   std::tie(finding.kind, finding.file, finding.line, finding.column);
        });
        if (!known) all.push_back(finding);
    }
}

}  // namespace lanewise
