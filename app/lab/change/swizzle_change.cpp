#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "lab/change/kernel_text.h"
#include "lab/change/source_changes.h"
#include "lab/kernel/index_expression.h"
#include "lab/kernel/source_names.h"

namespace lanewise {
namespace {

constexpr int64_t kBankBytes = 128;  // of all 32 banks

// Evaluating it twice changes nothing: no assignment, and no call but of a conversion.
bool is_pure(const KernelText& text, size_t first, size_t last) {
    static constexpr std::string_view kConversions[] = {"int", "unsigned", "size_t", "min", "max"};
    for (size_t i = first; i < last; ++i) {
        const std::string_view sign = text.text(i);
        if (sign == "++" || sign == "--" || is_assignment(sign)) return false;
        const bool calls = text.tokens()[i].kind == CToken::Kind::name && text.text(i + 1) == "(";
        if (calls && std::find(std::begin(kConversions), std::end(kConversions), sign) ==
                         std::end(kConversions))
            return false;
    }
    return true;
}

// Behind the declaration: with other knobs or template arguments it does not compile.
TextEdit held_to_power_of_two(const KernelText& text, const std::string& name,
                              const std::string& width, size_t token) {
    while (token < text.body_end() && text.text(token) != ";") ++token;
    const std::string w = in_brackets(width);
    return {text.end_of(token), text.end_of(token),
            fmt::format("\n{}static_assert(({} & ({} - 1)) == 0, \"the swizzle of {} needs rows of a "
                        "power of two\");",
                        text.indentation(token), w, w, name)};
}

// The edits that swizzle one array; none where it is used in another way.
std::vector<TextEdit> swizzled(const KernelText& text, const SharedArray& array, int64_t cols,
                               int64_t rows_a_turn) {
    std::vector<TextEdit> edits;
    const std::string width = std::string(trimmed(array.extents.back()));
    const bool is_number = width == std::to_string(cols);
    bool is_declared = false;
    for (size_t i = text.body_begin(); i < text.body_end(); ++i) {
        if (text.tokens()[i].kind != CToken::Kind::name) continue;
        if (text.text(i) != array.name) {
            if (text.text(i).starts_with(array.name + ".")) return {};
            continue;
        }
        size_t row = 0, row_end = 0, col = 0, col_end = i;
        for (size_t d = 0; d < array.extents.size(); ++d) {
            const size_t open = col_end + 1;
            if (text.text(open) != "[") return {};
            row = col, row_end = col_end;
            col = open + 1;
            col_end = text.closing(open);
            if (col_end >= text.body_end()) return {};
        }
        if (!is_declared) {  // the declaration comes first
            is_declared = true;
            if (!is_number) edits.push_back(held_to_power_of_two(text, array.name, width, col_end));
            continue;
        }
        const std::string_view before = text.text(i - 1);
        if (text.text(col_end + 1) == "[" || before == "&" || before == "sizeof") return {};
        if (!is_pure(text, row, row_end)) return {};
        std::string turn = in_brackets(text.between(row, row_end));
        if (rows_a_turn > 1) turn = fmt::format("{} / {}", turn, rows_a_turn);
        if (turn == "0" || turn.starts_with("0 /")) continue;
        const std::string mask =
            is_number ? std::to_string(cols - 1) : fmt::format("({} - 1)", in_brackets(width));
        edits.push_back({text.begin_of(col), text.end_of(col_end - 1),
                         fmt::format("{} ^ ({} & {})",
                                     in_brackets(text.between(col, col_end)), turn, mask)});
    }
    const size_t of_declaration = is_number ? 0 : 1;
    return edits.size() > of_declaration ? edits : std::vector<TextEdit>();
}

}  // namespace

std::vector<SourceChange> swizzle_changes(const Job& job) {
    std::vector<SourceChange> changes;
    const std::string& source = job.stage.source;
    const KernelText text(source, kernel_name(job));
    const SourceNames names = names_of(job);
    std::vector<TextEdit> all;
    size_t several = 0;
    for (const SharedArray& array : shared_arrays(source, kernel_name(job))) {
        if (array.extents.size() < 2) continue;
        const int64_t cols = c_value(array.extents.back(), names).value_or(0);
        const int64_t bytes = bytes_of_type(array.type, names);
        if (cols < 2 || bytes == 0 || !std::has_single_bit(static_cast<uint64_t>(cols))) continue;
        const int64_t rows_a_turn = std::max<int64_t>(1, kBankBytes / (cols * bytes));
        const std::vector<TextEdit> edits = swizzled(text, array, cols, rows_a_turn);
        if (edits.empty()) continue;
        changes.push_back(
            {fmt::format("The columns of {} are swizzled by their row", array.name), edited(source, edits)});
        all.insert(all.end(), edits.begin(), edits.end());
        ++several;
    }
    if (several > 1)
        changes.push_back({"The columns of every tile are swizzled by their row", edited(source, all)});
    return changes;
}

}  // namespace lanewise
