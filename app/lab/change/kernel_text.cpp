#include "lab/change/kernel_text.h"

#include <algorithm>

#include "base/text.h"

namespace lanewise {

std::string edited(const std::string& source, std::vector<TextEdit> edits) {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
    std::string text;
    size_t copied = 0;
    for (const TextEdit& edit : edits) {
        text += source.substr(copied, edit.begin - copied) + edit.text;
        copied = edit.end;
    }
    return text + source.substr(copied);
}

KernelText::KernelText(const std::string& source, const std::string& kernel)
    : source_(source), tokens_(c_tokens(source)) {
    bool is_global = false;
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
        if (tokens_[i].text == "__global__") is_global = true;
        if (tokens_[i].text == ";" || tokens_[i].text == "}") is_global = false;  // it was declared
        if (!is_global || tokens_[i].text != kernel || tokens_[i + 1].text != "(") continue;
        const size_t close = closing(i + 1);
        if (text(close + 1) != "{") continue;
        parameters_begin_ = i + 2;
        parameters_end_ = close;
        body_begin_ = close + 2;
        body_end_ = closing(close + 1);
        if (body_end_ >= tokens_.size()) body_begin_ = body_end_ = 0;
        return;
    }
}

size_t KernelText::closing(size_t open) const {
    const std::string_view opens = text(open);
    const std::string_view closes = opens == "(" ? ")" : opens == "[" ? "]" : "}";
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
        depth += (tokens_[i].text == opens) - (tokens_[i].text == closes);
        if (depth == 0) return i;
    }
    return tokens_.size();
}

std::string KernelText::between(size_t first, size_t last) const {
    return first < last ? source_.substr(begin_of(first), end_of(last - 1) - begin_of(first)) : "";
}

size_t KernelText::line_begin(size_t token) const {
    const size_t at = tokens_[token].at;
    const size_t end = at == 0 ? source_.npos : source_.rfind('\n', at - 1);
    return end == source_.npos ? 0 : end + 1;
}

std::string KernelText::indentation(size_t token) const {
    const size_t begin = line_begin(token), end = source_.find_first_not_of(" \t", begin);
    return source_.substr(begin, std::min(end, tokens_[token].at) - begin);
}

bool KernelText::begins_line(size_t token) const {
    const size_t begin = line_begin(token);
    return trimmed(std::string_view(source_).substr(begin, tokens_[token].at - begin)).empty();
}

bool KernelText::has_name(std::string_view name) const {
    return std::any_of(tokens_.begin(), tokens_.end(), [&](const CToken& token) {
        return token.text == name || token.text.starts_with(std::string(name) + ".");
    });
}

bool is_assignment(std::string_view sign) {
    return sign.ends_with('=') && sign != "==" && sign != "!=" && sign != "<=" && sign != ">=";
}

std::string in_brackets(const std::string& expression) {
    const std::vector<CToken> tokens = c_tokens(expression);
    const auto words = std::count_if(tokens.begin(), tokens.end(), [](const CToken& token) {
        return token.kind != CToken::Kind::end;
    });
    return words == 1 ? expression : "(" + expression + ")";
}

}  // namespace lanewise
