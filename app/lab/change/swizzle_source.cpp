#include "lab/change/swizzle_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/c_expression.h"
#include "lab/change/swizzle.h"

namespace lanewise {
namespace {

using Token = CToken;

// The token behind the bracket that closes the one at `open`; tokens.size() where none does.
size_t behind_bracket(const std::vector<Token>& tokens, size_t open) {
    int depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].text == "[") ++depth;
        if (tokens[i].text == "]" && --depth == 0) return i + 1;
    }
    return tokens.size();
}

// Whether the statement that token `at` is part of begins with __shared__; `type`: the token before
// the name that it declares first.
bool is_declared_here(const std::vector<Token>& tokens, size_t at, std::string_view& type) {
    for (size_t i = at; i-- > 0;) {
        std::string_view text = tokens[i].text;
        if (text == ";" || text == "{" || text == "}") return false;
        if (text == "__shared__") {
            type = tokens[at - 1].text;
            return true;
        }
    }
    return false;
}

bool is_element_type(std::string_view type) {
    return type == "T" || type == "float" || type == "double";
}

}  // namespace

TileUses tile_uses(const Stage& stage) {
    TileUses found;
    const std::vector<Token> tokens = c_tokens(stage.source);
    auto refuse = [&](const std::string& why) {
        found.problem = stage.title + ": " + why;
        return found;
    };
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != Token::Kind::name || tokens[i].text != stage.tile.array) continue;
        size_t row = i + 1, col = row;
        bool bracket = row < tokens.size() && tokens[row].text == "[";
        if (bracket) col = behind_bracket(tokens, row);
        bool two = bracket && col < tokens.size() && tokens[col].text == "[";
        size_t end = two ? behind_bracket(tokens, col) : tokens.size();
        if (!two || end >= tokens.size() || tokens[end].text == "[")
            return refuse(fmt::format("its kernel uses {0} in other ways than {0}[row][col].",
                                      stage.tile.array));
        std::string_view type;
        TileUses::Use use{tokens[row].at + 1, tokens[col - 1].at, tokens[col].at + 1,
                          tokens[end - 1].at, is_declared_here(tokens, i, type)};
        if (use.is_declaration && !is_element_type(type))
            return refuse("its tile holds vectors, not single elements.");
        found.uses.push_back(use);
    }
    auto declarations = std::count_if(found.uses.begin(), found.uses.end(),
                                      [](const TileUses::Use& use) { return use.is_declaration; });
    if (declarations != 1 || !found.uses.front().is_declaration)
        return refuse("its kernel declares no array of two dimensions as its tile.");
    return found;
}

std::string expression_problem(const std::string& expression, int& column) {
    column = 1;
    if (expression.find_first_not_of(' ') == std::string::npos)
        return "Type the column of element (row, col), for instance col ^ row";
    if (expression.size() > kLongestSwizzle)
        return fmt::format("Use at most {} characters", kLongestSwizzle);
    std::string open;
    for (size_t i = 0; i < expression.size(); ++i) {
        char c = expression[i];
        column = static_cast<int>(i) + 1;
        bool is_comment = c == '/' && i + 1 < expression.size() &&
                          (expression[i + 1] == '/' || expression[i + 1] == '*');
        auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || byte > '~' ||
            std::string_view(";{}#\\\"'@`$").find(c) != std::string::npos || is_comment)
            return "Type one expression of C, without statements or comments";
        if (c == '(') open += c;
        if (c != ')') continue;
        if (open.empty()) return "This ) closes nothing";
        open.pop_back();
    }
    if (!open.empty()) {
        column = static_cast<int>(expression.size()) + 1;
        return "A ) is missing";
    }
    column = 0;
    return "";
}

std::string swizzled_source(const Stage& stage, const TileUses& uses, const std::string& expression,
                            const KnobValues& knobs, int64_t pitch) {
    std::string constants;
    for (const auto& [name, value] : knobs)
        constants += fmt::format(" [[maybe_unused]] constexpr int {} = {};", name, value);
    std::string source = fmt::format(
        "#line 1 \"{}\"\n"
        "static __device__ __forceinline__ int swizzled_column(int row, int col) {{{} return int(\n"
        "{}\n"
        "); }}\n"
        "__global__ void {}(int* columns, int rows, int cols) {{\n"
        "for (int i = 0; i < rows * cols; ++i) columns[i] = swizzled_column(i / cols, i % cols); "
        "}}\n"
        "#line 1 \"{}\"\n",
        kSwizzleFile, constants, expression, kSwizzleMapKernel, stage.file);
    size_t copied = 0;
    const std::string& text = stage.source;
    for (const TileUses::Use& use : uses.uses) {
        source += text.substr(copied, use.col - copied);
        copied = use.col_end;
        std::string col = text.substr(use.col, use.col_end - use.col);
        std::string row = text.substr(use.row, use.row_end - use.row);
        source += use.is_declaration ? std::to_string(pitch)
                                     : fmt::format("swizzled_column({}, {})", row, col);
    }
    return source + text.substr(copied);
}

}  // namespace lanewise
