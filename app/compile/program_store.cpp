#include "compile/program_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/local_headers.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr std::string_view kProgramMagic = "lanewise program 1\n";  // changes with the format
static constexpr int kStoresPerTrim = 64;

// ---- The key -----------------------------------------------------------------------------------

// Chains a text with its length, so that ("ab", "c") and ("a", "bc") differ.
static uint64_t chain(uint64_t seed, std::string_view text) {
    return hash(text, hash(std::to_string(text.size()) + ":", seed));
}

std::string program_key(const Source& source, const CompileOptions& options) {
    uint64_t value = hash(kProgramMagic);
    for (const std::string& part : {source.name, source.text, options.kernel, options.arch})
        value = chain(value, part);
    for (const std::string& define : options.defines) value = chain(value, "define " + define);
    for (const std::string& folder : options.include_folders)
        value = chain(value, "include " + folder);
    if (!options.headers.empty()) value = chain(value, "headers " + options.headers);
    // A header too many costs a needless compilation, one too few would serve a stale program.
    for (const LocalHeader& header : local_headers(source.text, options.include_folders))
        value = chain(value, header.text);
    return hex(value);
}

// ---- The file: magic, checksum of all that follows, then each text with its length -------------

static void append(std::string& bytes, std::string_view text) {
    uint64_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes.append(text);
}

static bool take(std::string_view& bytes, std::string& text) {
    uint64_t size = 0;
    if (bytes.size() < sizeof size) return false;
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    if (bytes.size() < size) return false;
    text = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
}

std::string encode_program(const Program& program, const std::string& key) {
    std::string body;
    for (const std::string* text : {&key, &program.entry, &program.ptx, &program.cubin,
                                    &program.log, &program.arch, &program.compiler})
        append(body, *text);
    return std::string(kProgramMagic) + hex(hash(body)) + body;
}

std::optional<Program> decode_program(std::string_view bytes, const std::string& key) {
    if (!bytes.starts_with(kProgramMagic) || bytes.size() < kProgramMagic.size() + 16) return {};
    std::string_view checksum = bytes.substr(kProgramMagic.size(), 16);
    std::string_view body = bytes.substr(kProgramMagic.size() + 16);
    if (checksum != hex(hash(body))) return {};
    Program program;
    std::string its_key;
    for (std::string* text : {&its_key, &program.entry, &program.ptx, &program.cubin, &program.log,
                              &program.arch, &program.compiler})
        if (!take(body, *text)) return {};
    if (its_key != key || !body.empty()) return {};
    return program;
}

// ---- The folder --------------------------------------------------------------------------------

fs::path ProgramStore::file(const std::string& key, const std::string& version) const {
    return folder_ / fmt::format("{}-{}.program", key, version);
}

static std::optional<Program> read_program(const fs::path& file, const std::string& key) {
    std::error_code failure;
    if (!fs::is_regular_file(file, failure)) return {};
    try {
        std::optional<Program> program = decode_program(read_file(file), key);
        if (program) fs::last_write_time(file, fs::file_time_type::clock::now(), failure);
        return program;
    } catch (const Error&) {  // removed or replaced by another process just now, or unreadable
        return {};
    }
}

std::optional<Program> ProgramStore::find(const std::string& key,
                                          const std::string& version) const {
    if (!version.empty()) return read_program(file(key, version), key);
    std::vector<fs::path> candidates;
    std::error_code failure;
    for (fs::directory_iterator it(folder_, failure), end; !failure && it != end;
         it.increment(failure))
        if (it->path().filename().string().starts_with(key + "-")) candidates.push_back(it->path());
    std::sort(candidates.rbegin(), candidates.rend());
    for (const fs::path& candidate : candidates)
        if (std::optional<Program> program = read_program(candidate, key)) return program;
    return {};
}

void ProgramStore::store(const Program& program, const std::string& key,
                         const std::string& version) const {
    try {
        write_file(file(key, version), encode_program(program, key));
    } catch (const Error&) {
        return;  // a read-only home costs the cache, nothing else
    }
    static std::atomic<int> stores = 0;
    if (stores++ % kStoresPerTrim == 0) trim();
}

void ProgramStore::trim() const {
    if (most_bytes_ == 0) return;
    struct Item {
        fs::file_time_type used;
        uint64_t bytes;
        fs::path path;
    };
    std::vector<Item> items;
    uint64_t total = 0;
    std::error_code failure;
    for (fs::directory_iterator it(folder_, failure), end; !failure && it != end;
         it.increment(failure)) {
        std::error_code gone;  // another process may be trimming too
        Item item{it->last_write_time(gone), it->file_size(gone), it->path()};
        if (gone) continue;
        total += item.bytes;
        items.push_back(std::move(item));
    }
    if (total <= most_bytes_) return;
    std::sort(items.begin(), items.end(),
              [](const Item& a, const Item& b) { return a.used < b.used; });
    for (const Item& item : items) {
        if (total <= most_bytes_ / 2) return;
        fs::remove(item.path, failure);
        total -= item.bytes;
    }
}

}  // namespace lanewise
