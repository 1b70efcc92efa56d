// A small scan, not a C++ parser: enough for one kernel template per file, whatever its layout.
#include "course/kernel_signature.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "base/words.h"

namespace lanewise {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(Status::bad_input, message); }

// The last position of `word` as a whole word before `end`, or npos.
size_t last_word(std::string_view text, std::string_view word, size_t end) {
    for (size_t at = text.rfind(word, end); at != text.npos; at = text.rfind(word, at - 1)) {
        bool starts = at == 0 || !is_word_part(text[at - 1]);
        size_t after = at + word.size();
        if (starts && after <= end && (after == text.size() || !is_word_part(text[after])))
            return at;
        if (at == 0) break;
    }
    return text.npos;
}

// The index just past the bracket that closes the one at `open`, or npos.
size_t past_closing(std::string_view text, size_t open, char opening, char closing) {
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
        if (text[at] == opening) ++depth;
        if (text[at] == closing && --depth == 0) return at + 1;
    }
    return text.npos;
}

// "int TILE = 32" or "typename T".
TemplateParameter parameter(std::string_view text) {
    size_t equals = text.find('=');
    std::string_view declaration = trimmed(text.substr(0, equals));
    TemplateParameter result;
    if (equals != text.npos) result.default_value = trimmed(text.substr(equals + 1));
    size_t name = declaration.size();
    while (name > 0 && is_word_part(declaration[name - 1])) --name;
    result.name = declaration.substr(name);
    result.kind = trimmed(declaration.substr(0, name));
    if (result.name.empty() || result.kind.empty())
        fail("cannot read the template parameter \"" + std::string(trimmed(text)) +
             "\"; write it like \"int TILE = 32\"");
    return result;
}

// The parameters between the < > that ends right before `kernel`, if a template line stands there.
std::vector<TemplateParameter> template_parameters(std::string_view source, size_t kernel) {
    std::string_view before = trimmed(source.substr(0, kernel));
    while (before.ends_with("static") || before.ends_with("inline"))
        before = trimmed(before.substr(0, before.size() - 6));
    std::string_view line = trimmed(before.substr(before.rfind('\n') + 1));
    if (!line.ends_with('>') || line.starts_with('#')) return {};  // #include <cuda_fp16.h>
    size_t word = last_word(source, "template", kernel);
    size_t open = word == source.npos ? source.npos : source.find('<', word);
    if (open == source.npos || open > kernel || past_closing(source, open, '<', '>') > kernel)
        fail("cannot read the template line before __global__");
    size_t close = past_closing(source, open, '<', '>') - 1;
    std::vector<TemplateParameter> parameters;
    for (std::string_view piece : split(source.substr(open + 1, close - open - 1), ','))
        parameters.push_back(parameter(piece));
    return parameters;
}

// The kernel's name: the last word before the first parenthesis that is no attribute's, such as
// __launch_bounds__(…) or __cluster_dims__(…).
std::string kernel_name(std::string_view source, size_t kernel) {
    for (size_t at = kernel;;) {
        size_t open = source.find('(', at);
        if (open == source.npos) fail("cannot read the kernel's name after __global__");
        std::string_view words = trimmed(source.substr(at, open - at));
        size_t start = words.size();
        while (start > 0 && is_word_part(words[start - 1])) --start;
        std::string_view name = words.substr(start);
        if (name.empty()) fail("cannot read the kernel's name after __global__");
        if (!name.starts_with("__")) return std::string(name);
        at = past_closing(source, open, '(', ')');
        if (at == source.npos) fail("cannot read the kernel's name after __global__");
    }
}

size_t past_comment(std::string_view source, size_t open) {
    size_t end = source.find("*/", open + 2);
    return end == source.npos ? source.size() : end + 2;
}

size_t past_string(std::string_view source, size_t open) {
    size_t at = open + 1;
    while (at < source.size() && source[at] != '"' && source[at] != '\n')
        at += source[at] == '\\' ? 2 : 1;
    return std::min(at + 1, source.size());
}

}  // namespace

std::string without_comments(std::string_view source) {
    std::string text(source);
    for (size_t at = 0; (at = source.find_first_of("/\"", at)) < source.size();) {
        std::string_view rest = source.substr(at);
        size_t end = at;
        if (rest.starts_with("//")) end = std::min(source.find('\n', at), source.size());
        if (rest.starts_with("/*")) end = past_comment(source, at);
        for (size_t i = at; i < end; ++i)
            if (text[i] != '\n') text[i] = ' ';
        if (end == at) end = rest[0] == '"' ? past_string(source, at) : at + 1;
        at = end;
    }
    return text;
}

KernelSignature kernel_signature(std::string_view source) {
    constexpr std::string_view kGlobal = "__global__";
    std::string text = without_comments(source);
    size_t kernel = last_word(text, kGlobal, text.size());
    if (kernel == text.npos) fail("no __global__ function in this file");
    if (kernel > 0 && last_word(text, kGlobal, kernel - 1) != text.npos)
        fail("more than one __global__ function; a stage has exactly one");
    return {kernel_name(text, kernel + kGlobal.size()), template_parameters(text, kernel)};
}

}  // namespace lanewise
