#include "lab/mismatch/mismatch_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "lab/job/operation_code.h"
#include "lab/machine/interpret.h"
#include "lab/machine/prepared.h"
#include "lab/mismatch/wrong_places.h"
#include "sim/memory/memory.h"

namespace lanewise {

namespace {

// The inverse of unique_word() (sim/memory/memory.h), step by step from its end. Odd factors have inverses
// modulo 2^32.
constexpr uint32_t inverse(uint32_t odd) {
    uint32_t x = odd;  // Newton: each round doubles the bits that are right, 3 to begin with
    for (int i = 0; i < 4; ++i) x *= 2 - odd * x;
    return x;
}
constexpr uint32_t index_of_word(uint32_t word) {
    word ^= word >> 16;
    word *= inverse(0xc2b2ae35u);
    word ^= (word >> 13) ^ (word >> 26);
    word *= inverse(0x85ebca6bu);
    word ^= word >> 16;
    return word - 0x9e3779b9u;
}
static_assert(index_of_word(unique_word(0)) == 0 && index_of_word(unique_word(123'456)) == 123'456);

using Element = std::array<std::byte, 16>;

// The input is the stream of words, whatever the element size.
Element input_element(uint64_t index, size_t bytes, Input input) {
    Element element{};
    for (size_t i = 0; i < bytes; ++i) {
        uint64_t at = index * bytes + i;
        uint32_t word = input_word(static_cast<uint32_t>(at / 4), input);
        element[i] = static_cast<std::byte>(word >> (8 * (at % 4)));
    }
    return element;
}

std::string hex_of(const std::byte* element, size_t bytes) {
    std::string text = "0x";
    for (size_t i = bytes; i-- > 0;)
        text += fmt::format("{:02x}", std::to_integer<int>(element[i]));
    return text;
}

// What the wrong elements have in common, gathered one by one.
struct Pattern {
    uint64_t elsewhere = 0, unwritten = 0;
    uint64_t not_turned = 0;         // holds in[row][col], where in[col][row] belongs
    uint64_t inside_not_turned = 0;  // the tile is in its place, its inside as it was
    uint64_t tile_not_moved = 0;     // the inside is turned, the tile lies where it was
    uint64_t same_shift = 0;         // as far from its place as most are
    int64_t shift_rows = 0, shift_cols = 0;
    uint64_t votes = 0;          // those of this shift less those of another, since it was taken up
    bool diagonal_right = true;  // of every tile

    // One that lies so far from its place. A majority, where there is one, wins the votes.
    void note_shift(int64_t rows, int64_t cols) {
        if (votes == 0) {
            if (rows != shift_rows || cols != shift_cols) same_shift = 0;
            shift_rows = rows;
            shift_cols = cols;
        }
        const bool same = rows == shift_rows && cols == shift_cols;
        same_shift += same;
        same ? ++votes : --votes;
    }
    // That of another strip. Where the two are shifted differently, the one of more elements stays.
    void add(const Pattern& other) {
        unwritten += other.unwritten;
        not_turned += other.not_turned;
        inside_not_turned += other.inside_not_turned;
        tile_not_moved += other.tile_not_moved;
        diagonal_right = diagonal_right && other.diagonal_right;
        elsewhere += other.elsewhere;
        if (shift_rows == other.shift_rows && shift_cols == other.shift_cols) {
            same_shift += other.same_shift;
        } else if (other.same_shift > same_shift) {
            shift_rows = other.shift_rows;
            shift_cols = other.shift_cols;
            same_shift = other.same_shift;
        }
    }
};

class Mapper {
  public:
    Mapper(const FetchBytes& fetch, const MappedOutput& of)
        : fetch_(fetch),
          e_(of.expected),
          tile_rows_(of.tile_rows),
          tile_cols_(of.tile_cols),
          poisoned_(of.poisoned),
          input_(of.input),
          bytes_(static_cast<size_t>(of.expected.element_bytes)) {
        out_rows_ = e_.is_copy ? e_.rows : e_.cols;
        map_.is_copy = e_.is_copy;
        map_.cols = e_.is_copy ? e_.cols : e_.rows;
        map_.rows = out_rows_ * e_.batch;
        places_.emplace(map_);
        patterns_.resize(places_->strips());
    }

    MismatchMap run(int threads, const CancelFlag* cancel) {
        std::span<const std::byte> piece;
        int64_t piece_row = 0;
        auto fetch = [&](int64_t row, int64_t rows) {
            piece_row = row;
            uint64_t row_bytes = static_cast<uint64_t>(map_.cols) * bytes_;
            piece = fetch_(static_cast<uint64_t>(row) * row_bytes,
                           static_cast<uint64_t>(rows) * row_bytes);
        };
        auto look = [&](size_t strip, int64_t row, int64_t first_col, int64_t end_col) {
            const std::byte* there =
                piece.data() +
                static_cast<size_t>((row - piece_row) * map_.cols + first_col) * bytes_;
            for (int64_t col = first_col; col < end_col; ++col, there += bytes_)
                look_at(strip, row, col, there);
        };
        places_->walk(fetch, look, threads, cancel);
        for (const Pattern& pattern : patterns_) pattern_.add(pattern);
        map_.unwritten = pattern_.unwritten;
        map_.elsewhere = pattern_.elsewhere;
        if (map_.wrong) say_patterns();
        return std::move(map_);
    }

  private:
    uint64_t expected_index(int64_t row, int64_t col) const {
        int64_t matrix = row / out_rows_, within = row % out_rows_;
        int64_t first = matrix * e_.rows * e_.cols;
        return static_cast<uint64_t>(
            first + (e_.is_copy ? within * e_.cols + col : col * e_.cols + within));
    }

    void look_at(size_t strip, int64_t row, int64_t col, const std::byte* there) {
        uint64_t index = expected_index(row, col);
        Element right = input_element(index, bytes_, input_);
        if (std::memcmp(there, right.data(), bytes_) == 0) return;
        Pattern& pattern = patterns_[strip];
        MismatchCell& cell = places_->note(strip, row, col);
        if (cell.wrong == 1) {
            cell.expected = hex_of(right.data(), bytes_);
            cell.actual = hex_of(there, bytes_);
        }
        if (tile_rows_ > 0 && (row % out_rows_) % tile_rows_ == col % tile_cols_)
            pattern.diagonal_right = false;
        if (poisoned_ && is_complement(there, input_element(index, bytes_, Input::words))) {
            ++cell.unwritten;
            ++pattern.unwritten;
            return;
        }
        auto from = input_index_of({there, bytes_},
                                   static_cast<uint64_t>(e_.rows * e_.cols * e_.batch), input_);
        if (!from) return;
        auto at = static_cast<int64_t>(*from);
        if (cell.row == row && cell.col == col) {
            cell.from_row = at / e_.cols;
            cell.from_col = at % e_.cols;
        }
        ++cell.elsewhere;
        note_origin(pattern, row % out_rows_, col, at / e_.cols % e_.rows, at % e_.cols);
    }

    bool is_complement(const std::byte* there, const Element& right) const {
        for (size_t i = 0; i < bytes_; ++i)
            if (there[i] != ~right[i]) return false;
        return true;
    }

    // The wrong element of the output holds in[from_row][from_col].
    void note_origin(Pattern& p, int64_t row, int64_t col, int64_t from_row, int64_t from_col) {
        int64_t want_row = e_.is_copy ? row : col, want_col = e_.is_copy ? col : row;
        ++p.elsewhere;
        p.not_turned += !e_.is_copy && from_row == row && from_col == col;
        int64_t rows = from_row - want_row, cols = from_col - want_col;
        p.note_shift(rows, cols);
        if (tile_rows_ == 0 || tile_rows_ != tile_cols_ || e_.is_copy) return;
        int64_t t = tile_rows_;
        bool tile_right = from_row / t == want_row / t && from_col / t == want_col / t;
        bool tile_as_it_was = from_row / t == row / t && from_col / t == col / t;
        bool inside_right = from_row % t == want_row % t && from_col % t == want_col % t;
        bool inside_as_it_was = from_row % t == row % t && from_col % t == col % t;
        p.inside_not_turned += tile_right && inside_as_it_was;
        p.tile_not_moved += tile_as_it_was && inside_right;
    }

    void say_patterns() {
        const Pattern& p = pattern_;
        auto say = [&](std::string words) { map_.patterns.push_back(std::move(words)); };
        uint64_t all = static_cast<uint64_t>(map_.rows) * static_cast<uint64_t>(map_.cols);
        places_->say();
        if (nearly_all(p.unwritten, map_.wrong)) say("What is wrong was never written.");
        if (!nearly_all(p.elsewhere, map_.wrong)) {
            if (p.unwritten > 0 && !nearly_all(p.unwritten, map_.wrong))
                say(fmt::format("{} of the wrong elements were never written.",
                                with_thousands(p.unwritten)));
            return;
        }
        if (nearly_all(p.not_turned, p.elsewhere))
            say("The output holds in[row][col]: nothing was turned.");
        else if (nearly_all(p.inside_not_turned, p.elsewhere))
            say(fmt::format(
                "Every {0} × {0} tile lies in its place, and its inside was not turned.",
                tile_rows_));
        else if (nearly_all(p.tile_not_moved, p.elsewhere))
            say(
                fmt::format("Every {0} × {0} tile is turned inside, and lies where it lay in the "
                            "input: the tiles themselves did not change places.",
                            tile_rows_));
        else if (nearly_all(p.same_shift, p.elsewhere))
            say(shift_words());
        if (tile_rows_ > 0 && tile_rows_ == tile_cols_ && p.diagonal_right && map_.wrong * 2 > all)
            say("The diagonal of every tile is right.");
    }

    std::string shift_words() const {
        auto part = [](int64_t by, const char* one, const char* more, const char* forward,
                       const char* back) {
            if (by == 0) return std::string();
            int64_t size = by < 0 ? -by : by;
            return fmt::format("{} {} {}", size, size == 1 ? one : more, by > 0 ? forward : back);
        };
        std::string rows = part(pattern_.shift_rows, "row", "rows", "below", "above");
        std::string cols = part(pattern_.shift_cols, "column", "columns", "right of", "left of");
        return fmt::format("Every wrong element holds the one {}{}{} the right one in the input.",
                           rows, !rows.empty() && !cols.empty() ? ", " : "", cols);
    }

    const FetchBytes& fetch_;
    const ExpectedOutput& e_;
    int64_t tile_rows_, tile_cols_, out_rows_ = 0;
    bool poisoned_;
    Input input_;
    size_t bytes_;
    std::vector<Pattern> patterns_;  // by strip
    Pattern pattern_;                // all together
    MismatchMap map_;
    std::optional<WrongPlaces> places_;
};

}  // namespace

std::optional<uint64_t> input_index_of(std::span<const std::byte> element, uint64_t count,
                                       Input input) {
    if (element.size() < 4) return std::nullopt;
    uint32_t word = 0;
    std::memcpy(&word, element.data(), 4);
    auto found = [&](uint32_t made_of) -> std::optional<uint64_t> {
        uint64_t words = element.size() / 4, first = index_of_word(made_of);
        if (first % words != 0 || first / words >= count) return std::nullopt;
        Element right = input_element(first / words, element.size(), input);
        if (std::memcmp(right.data(), element.data(), element.size()) != 0) return std::nullopt;
        return first / words;
    };
    std::optional<uint64_t> index = found(word);
    if (input == Input::words) return index;
    std::optional<uint64_t> twin = found(word ^ 0x40000000u);  // made a number, see input_word()
    return index && twin ? std::nullopt : index ? index : twin;
}

MismatchMap map_mismatches(const FetchBytes& fetch, const MappedOutput& of, int threads,
                           const CancelFlag* cancel) {
    return Mapper(fetch, of).run(threads, cancel);
}

MismatchMap map_mismatches(std::span<const std::byte> output, const MappedOutput& of, int threads,
                           const CancelFlag* cancel) {
    auto fetch = [&](uint64_t first, uint64_t bytes) { return output.subspan(first, bytes); };
    return map_mismatches(fetch, of, threads, cancel);
}

std::string cannot_map_mismatches(const Job& job) {
    if (job.own.is_used()) return "Nothing says what a kernel of your own should have written.";
    return is_library_call(job.stage) ? nothing_to_interpret(job.stage)
                                      : code_of(job.stage).cannot_map(job);
}

MismatchMap find_mismatches(const Job& given, int threads, const CancelFlag* cancel) {
    if (std::string why = cannot_map_mismatches(given); !why.empty())
        throw Error(Status::bad_input, why);
    Job job = given;
    validate(job);
    threads = threads > 0 ? threads : core_count();
    Preparation preparation = prepare(job);
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    StageLaunch stage(job, preparation.kernel->kernel, threads);
    const OperationCode& code = code_of(job.stage);
    code.fill(stage, job, threads, cancel);
    interpret(*preparation.kernel, launch, stage, threads, cancel);
    MismatchMap map = code.map(stage, job, threads, cancel);
    map.stage = job.stage.id;
    return map;
}

std::string pattern_words(const MismatchMap& map) {
    std::string words;
    for (const std::string& pattern : map.patterns) words += (words.empty() ? "" : " ") + pattern;
    return words;
}

}  // namespace lanewise
