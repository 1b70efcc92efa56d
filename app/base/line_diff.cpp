#include "base/line_diff.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace lanewise {
namespace {

using Lines = std::vector<std::string_view>;
using Kind = DiffLine::Kind;

// The table of longest common subsequences grows with the product of the lengths.
constexpr size_t kMostCells = 16 << 20;

class Diff {
  public:
    Diff(Lines before, Lines after) : before_(std::move(before)), after_(std::move(after)) {}

    std::vector<DiffLine> run() {
        size_t least = std::min(before_.size(), after_.size()), head = 0, tail = 0;
        while (head < least && before_[head] == after_[head]) ++head;
        while (tail < least - head &&
               before_[before_.size() - 1 - tail] == after_[after_.size() - 1 - tail])
            ++tail;
        for (size_t i = 0; i < head; ++i) keep(i, i);
        middle(head, before_.size() - tail, after_.size() - tail);
        for (size_t i = tail; i > 0; --i) keep(before_.size() - i, after_.size() - i);
        return std::move(lines_);
    }

  private:
    void keep(size_t b, size_t a) {
        lines_.push_back(
            {Kind::same, static_cast<int>(b) + 1, static_cast<int>(a) + 1, std::string(after_[a])});
    }
    void remove(size_t b) {
        lines_.push_back({Kind::removed, static_cast<int>(b) + 1, 0, std::string(before_[b])});
    }
    void add(size_t a) {
        lines_.push_back({Kind::added, 0, static_cast<int>(a) + 1, std::string(after_[a])});
    }

    // From line `head` of both up to the given ends.
    void middle(size_t head, size_t before_end, size_t after_end) {
        size_t rows = before_end - head, cols = after_end - head;
        if (rows != 0 && cols > kMostCells / (rows + 1)) {
            for (size_t b = head; b < before_end; ++b) remove(b);
            for (size_t a = head; a < after_end; ++a) add(a);
            return;
        }
        // common[b][a]: lines that the rests from b and from a have in common.
        std::vector<uint32_t> common((rows + 1) * (cols + 1));
        auto at = [&](size_t b, size_t a) -> uint32_t& { return common[b * (cols + 1) + a]; };
        for (size_t b = rows; b-- > 0;)
            for (size_t a = cols; a-- > 0;)
                at(b, a) = before_[head + b] == after_[head + a]
                               ? at(b + 1, a + 1) + 1
                               : std::max(at(b + 1, a), at(b, a + 1));
        size_t b = 0, a = 0;
        while (b < rows || a < cols) {
            if (b < rows && a < cols && before_[head + b] == after_[head + a])
                keep(head + b++, head + a++);
            else if (b < rows && (a == cols || at(b + 1, a) >= at(b, a + 1)))
                remove(head + b++);
            else
                add(head + a++);
        }
    }

    Lines before_, after_;
    std::vector<DiffLine> lines_;
};

Lines split_lines(std::string_view text) {
    Lines lines;
    for (std::string_view line : lines_of(text)) lines.push_back(line);
    return lines;
}

}  // namespace

std::vector<DiffLine> line_diff(std::string_view before, std::string_view after) {
    return Diff(split_lines(before), split_lines(after)).run();
}

}  // namespace lanewise
