#include "compile/device_program.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "compile/nvrtc.h"

namespace lanewise {

namespace fs = std::filesystem;

static std::string whole(const std::string& path) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored).string();
}

// Of those that were given; the toolkit's own headers are compiled as they are.
static std::vector<std::string> users_folders(const std::vector<std::string>& given) {
    std::string toolkit = find_nvrtc().nvrtc.include_folder;
    if (!toolkit.empty()) toolkit = (fs::path(whole(toolkit)) / "").string();
    std::vector<std::string> folders;
    for (const std::string& folder : given) {
        std::string path = (fs::path(whole(folder)) / "").string();
        if (toolkit.empty() || !path.starts_with(toolkit)) folders.push_back(whole(folder));
    }
    return folders;
}

static bool includes_partial_header(std::string_view text) {
    for (std::string_view line : lines_of(text))
        if (std::optional<IncludeLine> include = include_in(line))
            for (const PartialHeader& header : partial_headers())
                if (include->name == header.name) return true;
    return false;
}

DeviceProgram::DeviceProgram(const Source& source, const CompileOptions& options)
    : folders_(users_folders(options.include_folders)) {
    auto add = [&](const std::string& path, const std::string& text, const std::string& beside) {
        auto is_local = [&](const IncludeLine& include) {
            // <queue> is the system's, whatever lies beside the source.
            return include.is_quoted && !local_header_path(include, beside, folders_).empty();
        };
        files_.push_back({path, text, DeviceCode(text, is_local)});
    };
    add(source.name, source.text, "");
    for (const LocalHeader& header : local_headers(source.text, folders_))
        add(whole(header.path), header.text, fs::path(header.path).parent_path().string());
}

DeviceProgram::File* DeviceProgram::find(const std::string& path) {
    for (File& file : files_)
        if (file.path == path) return &file;
    return nullptr;
}

bool DeviceProgram::hide_at(const std::string& file, int line) {
    File* found = find(file);
    return found && found->device.hide_at(line);
}

bool DeviceProgram::hide_include_at(const std::string& file, int line) {
    File* found = find(file);
    return found && found->device.hide_include_at(line);
}

bool DeviceProgram::hides_nothing() const {
    for (const File& file : files_)
        if (file.device.text() != file.text) return false;
    return true;
}

// The word of which the compiler says that nobody declares it; "" of another error.
static std::string_view undeclared(std::string_view said) {
    struct Words {
        std::string_view before, behind;
    };
    static constexpr Words kSaid[] = {{"identifier \"", "\" is undefined"},       // NVRTC
                                      {"use of undeclared identifier '", "'"},   // clang
                                      {"unknown type name '", "'"}};
    for (const auto& [before, behind] : kSaid)
        if (said.starts_with(before)) {
            said.remove_prefix(before.size());
            size_t end = said.find(behind);
            return end == said.npos ? std::string_view() : said.substr(0, end);
        }
    return {};
}

// The first error is the same whatever follows it, so it alone decides, unless one of the others is
// in something that may be hidden: then what is said of the source differs.
bool DeviceProgram::may_cure(const std::vector<Diagnostic>& errors) const {
    const File& source = files_.front();
    const Diagnostic* first = nullptr;
    if (files_.size() > 1 || !hides_nothing() || includes_partial_header(source.text)) return true;
    for (const Diagnostic& error : errors) {
        if (!error.is_error) continue;
        if (!first) first = &error;
        if (error.file != source.path) return true;
        if (DeviceCode trial = source.device; trial.hide_at(error.line)) return true;
    }
    if (!first) return true;
    std::string_view word = undeclared(first->text);
    bool is_of_grammar = word.empty() && first->text.starts_with("expected ");
    if (!is_of_grammar && (word.empty() || host_headers_say(word))) return true;
    return has_macro_of_host(source.text);
}

// A header is known to the compiler by its path alone, whoever includes it by whatever name.
std::string DeviceProgram::with_paths(const File& file) const {
    bool is_source = &file == &files_.front();
    std::string beside = is_source ? "" : fs::path(file.path).parent_path().string();
    const std::string& text = file.device.text();
    std::string result;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = std::string_view(text).substr(at, end - at);
        std::optional<IncludeLine> include = include_in(line);
        std::string path = include ? local_header_path(*include, beside, folders_) : "";
        if (path.empty())
            result += line;
        else
            result += "#include \"" + whole(path) + "\"";
        if (end < text.size()) result += '\n';
        at = end + 1;
    }
    return result;
}

Source DeviceProgram::source() const { return {files_[0].path, with_paths(files_[0])}; }

std::vector<LocalHeader> DeviceProgram::headers() const {
    std::vector<LocalHeader> headers;
    for (size_t i = 1; i < files_.size(); ++i)
        headers.push_back({files_[i].path, with_paths(files_[i])});
    return headers;
}

std::string DeviceProgram::hidden() const {
    std::string all;
    for (size_t i = 0; i < files_.size(); ++i) {
        std::string lines = hidden_lines(files_[i].text, files_[i].device.text());
        if (lines.empty()) continue;
        if (!all.empty()) all += "; ";
        if (i > 0) all += fs::path(files_[i].path).filename().string() + ": ";
        all += (lines.find_first_not_of("0123456789") == lines.npos ? "line " : "lines ") + lines;
    }
    return all;
}

}  // namespace lanewise
