#include "compile/diagnostics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"

namespace lanewise {

static constexpr size_t kMostShown = 20;

namespace {
struct Kind {
    std::string_view mark;  // as it stands between the position and the text
    bool is_error;
};
}  // namespace
static constexpr Kind kKinds[] = {{"): error", true},
                                  {"): catastrophic error", true},
                                  {"): internal error", true},
                                  {"): warning", false}};

// `file(line): error: text` or `file(line): warning #177-D: text`.
static bool parse_head(std::string_view line, Diagnostic& found) {
    for (const Kind& kind : kKinds) {
        size_t mark = line.find(kind.mark);
        if (mark == std::string_view::npos) continue;
        size_t open = line.rfind('(', mark);
        size_t colon = line.find(": ", mark + kind.mark.size());
        int64_t number = 0;
        if (open == std::string_view::npos || colon == std::string_view::npos ||
            !parse_integer(line.substr(open + 1, mark - open - 1), number))
            continue;
        found = {kind.is_error, std::string(line.substr(0, open)), static_cast<int>(number), 0,
                 std::string(line.substr(colon + 2))};
        return true;
    }
    return false;
}

// `ptxas error   : text`, `ptxas application ptx input, line 28; error   : text`.
static bool parse_ptxas(std::string_view line, const std::string& source_name, Diagnostic& found) {
    bool is_error = !line.starts_with("ptxas warning") && line.find("; warning") == line.npos;
    size_t colon = line.find(": ");
    if (!line.starts_with("ptxas") || line.starts_with("ptxas info") || colon == line.npos)
        return false;
    found = {is_error, source_name, 0, 0, "ptxas: " + std::string(trimmed(line.substr(colon + 2)))};
    return true;
}

namespace {
// What one of clang's lines is.
enum class Said { nothing, diagnostic, note };
struct ClangMark {
    std::string_view mark;
    Said said;
    bool is_error;
};
}  // namespace
static constexpr ClangMark kClangMarks[] = {{"fatal error: ", Said::diagnostic, true},
                                            {"error: ", Said::diagnostic, true},
                                            {"warning: ", Said::diagnostic, false},
                                            {"note: ", Said::note, false}};

// "file:12:5: " -> its three parts; false where it is anything else.
static bool parse_place(std::string_view place, Diagnostic& found) {
    if (!place.ends_with(": ")) return false;
    place.remove_suffix(2);
    int64_t numbers[2];
    for (int i = 1; i >= 0; --i) {
        size_t colon = place.rfind(':');
        if (colon == place.npos || !parse_integer(place.substr(colon + 1), numbers[i]))
            return false;
        place = place.substr(0, colon);
    }
    found.file = place;
    found.line = static_cast<int>(numbers[0]);
    found.column = static_cast<int>(numbers[1]);
    return true;
}

// "text [-Wunused-variable]" without the option's name.
static std::string without_option(std::string_view text) {
    size_t at = text.rfind(" [-W");
    return std::string(text.ends_with(']') && at != text.npos ? text.substr(0, at) : text);
}

// `file:12:5: error: text`, `error: text` (of the back end), `file:12:5: note: text`.
static Said parse_clang(std::string_view line, const std::string& source_name, Diagnostic& found) {
    for (const ClangMark& kind : kClangMarks) {
        size_t at = line.find(kind.mark);
        if (at == line.npos) continue;
        found = {kind.is_error, source_name, 0, 0,
                 without_option(line.substr(at + kind.mark.size()))};
        bool has_place = parse_place(line.substr(0, at), found);
        if (has_place || (at == 0 && kind.is_error)) return kind.said;
    }
    return Said::nothing;
}

// A note says more only where the user's own text is meant, and more than "'x' declared here".
static void append_note(const Diagnostic& note, const std::string& source_name, int& notes,
                        Diagnostic& to) {
    constexpr int kMostNotes = 3;
    if (note.file != source_name || note.text.ends_with(" declared here")) return;
    if (notes++ >= kMostNotes) return;
    to.text += note.line == to.line ? fmt::format(" ({})", note.text)
                                    : fmt::format(" (line {}: {})", note.line, note.text);
}

static bool is_caret(std::string_view line) { return trimmed(line) == "^"; }

std::vector<Diagnostic> parse_log(std::string_view log, const std::string& source_name) {
    std::vector<Diagnostic> found;
    bool in_notes = false;  // below a caret, until the empty line
    int notes = 0;          // of clang, of the last diagnostic
    for (std::string_view line : lines_of(log)) {
        Diagnostic next;
        Said said = parse_clang(line, source_name, next);
        if (said == Said::diagnostic) {
            found.push_back(std::move(next));
            in_notes = false, notes = 0;
        } else if (said == Said::note) {
            if (!found.empty()) append_note(next, source_name, notes, found.back());
        } else if (parse_head(line, next) || parse_ptxas(line, source_name, next)) {
            found.push_back(std::move(next));
            in_notes = false;
        } else if (found.empty() || trimmed(line).empty()) {
            in_notes = false;
        } else if (is_caret(line)) {
            // NVRTC indents the source line and the caret by two columns.
            found.back().column = std::max(0, static_cast<int>(line.find('^')) - 1);
            in_notes = true;
        } else if (in_notes) {
            found.back().text += fmt::format(" ({})", trimmed(line));
        }
    }
    return found;
}

static std::string position(const Diagnostic& d) {
    std::string text = d.file;
    if (d.line > 0) text += fmt::format(":{}", d.line);
    if (d.line > 0 && d.column > 0) text += fmt::format(":{}", d.column);
    return text;
}

// The source's or, where a header is meant, what lies there; "" where nothing can be read.
static std::string text_of(const std::string& file, const Source& source) {
    if (file == source.name) return source.text;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return {};
    try {
        return read_file(file);
    } catch (const Error&) {
        return {};
    }
}

std::string in_words(const Diagnostic& d, const Source& source) {
    std::string text =
        fmt::format("{}: {}: {}", position(d), d.is_error ? "error" : "warning", d.text);
    std::string file = text_of(d.file, source);
    std::vector<std::string_view> lines = lines_of(file);
    if (d.line < 1 || static_cast<size_t>(d.line) > lines.size()) return text;
    std::string_view line = lines[static_cast<size_t>(d.line) - 1];
    size_t indent = line.size() - trimmed(line).size();
    indent = std::min(indent, line.find_first_not_of(" \t"));
    text += fmt::format("\n    {}", trimmed(line));
    size_t column = static_cast<size_t>(d.column);
    if (column < indent + 1 || column > line.size() + 1) return text;
    std::string below(line.substr(indent, column - 1 - indent));
    for (char& c : below)
        if (c != '\t') c = ' ';  // tabs stay, so that the caret stays under its spot
    return text + fmt::format("\n    {}^", below);
}

// The names that follow `__global__ void`, for "it has …".
static std::vector<std::string> kernels_of(std::string_view text) {
    std::vector<std::string> names;
    for (size_t at = text.find("__global__"); at != text.npos;
         at = text.find("__global__", at + 1)) {
        for (size_t open = text.find('(', at); open != text.npos;) {
            std::string_view head = trimmed(text.substr(at, open - at));
            size_t start = head.find_last_of(" \t\n*&>");
            std::string name(start == head.npos ? "" : head.substr(start + 1));
            if (name.starts_with("__")) {  // __launch_bounds__(…), __cluster_dims__(…)
                int inside = 0;
                do {
                    inside += (text[open] == '(') - (text[open] == ')');
                } while (++open < text.size() && inside > 0);
                at = open;
                open = text.find('(', open);
                continue;
            }
            if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(std::move(name));
            break;
        }
    }
    return names;
}

[[noreturn]] static void throw_no_such_kernel(const std::vector<Diagnostic>& errors,
                                              const Source& source, const std::string& kernel) {
    std::vector<std::string> reasons;
    for (const Diagnostic& d : errors) {
        std::string reason = d.text.substr(0, d.text.find(". Input name expression was"));
        bool is_new = std::find(reasons.begin(), reasons.end(), reason) == reasons.end();
        if (is_new && !reason.starts_with("Error in parsing name expression"))
            reasons.push_back(reason);
    }
    std::vector<std::string> kernels = kernels_of(source.text);
    std::string text = fmt::format("{}: error: no kernel fits \"{}\": {}", source.name, kernel,
                                   reasons.empty() ? "it is not the name of a __global__ function"
                                                   : fmt::to_string(fmt::join(reasons, "; ")));
    text += kernels.empty() ? "\nThe source has no __global__ function"
                            : fmt::format("\nKernels in this source: {}", fmt::join(kernels, ", "));
    throw CompileError(text, {{true, source.name, 0, 0, "no kernel fits \"" + kernel + "\""}});
}

void throw_compile_error(const std::string& log, const Source& source, const std::string& kernel) {
    std::vector<Diagnostic> all = parse_log(log, source.name), errors, about_name;
    for (const Diagnostic& d : all)
        if (d.is_error) (d.file == kNameMap ? about_name : errors).push_back(d);
    if (errors.empty() && !about_name.empty()) throw_no_such_kernel(about_name, source, kernel);
    if (errors.empty())
        throw CompileError(fmt::format("{}: error: {}", source.name, trimmed(log)), all);
    std::vector<std::string> shown;
    for (const Diagnostic& d : errors)
        if (shown.size() < kMostShown) shown.push_back(in_words(d, source));
    std::string text = fmt::to_string(fmt::join(shown, "\n"));
    if (errors.size() > kMostShown)
        text += fmt::format("\n… and {} more errors", errors.size() - kMostShown);
    std::erase_if(all, [](const Diagnostic& d) { return d.file == kNameMap; });
    throw CompileError(text, std::move(all));
}

}  // namespace lanewise
