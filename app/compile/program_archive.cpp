#include "compile/program_archive.h"

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/hash.h"
#include "compile/xz.h"

namespace lanewise {

static constexpr std::string_view kFamily = "lanewise programs ", kMagic = "lanewise programs 1\n";
static constexpr size_t kChecksumBytes = 16;
// Most archives are of one block. Blocks of 8 MiB make what is shipped an eighth larger, as what is
// alike in several of them is packed several times; the largest then has 4 instead of 1 to unpack.
static constexpr size_t kBlockBytes = 32u << 20;

// ---- Writing -----------------------------------------------------------------------------------

static void put(std::string& bytes, uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
}
static void put(std::string& bytes, std::string_view text) {
    put(bytes, text.size());
    bytes += text;
}

static void put_packed(std::string& bytes, std::string_view unpacked) {
    put(bytes, unpacked.size());
    put(bytes, xz_packed(unpacked));
}

static bool is_of_full_size(const std::string& block, const Program& next) {
    return !block.empty() && block.size() + next.ptx.size() + next.cubin.size() > kBlockBytes;
}

std::string encode_archive(const std::vector<ArchivedProgram>& programs) {
    std::string directory, block, packed;
    size_t blocks = 0, all = 0;
    auto end_block = [&] {
        all += block.size();
        if (!block.empty()) put_packed(packed, block);
        blocks += !block.empty();
        block.clear();
    };
    for (const ArchivedProgram& each : programs) {
        const Program& program = each.program;
        if (is_of_full_size(block, program)) end_block();
        for (const std::string* text :
             {&each.key, &program.entry, &program.arch, &program.compiler, &program.log})
            put(directory, *text);
        for (uint64_t number :
             {uint64_t{blocks}, uint64_t{program.ptx.size()}, uint64_t{program.cubin.size()}})
            put(directory, number);
        block += program.ptx;
        block += program.cubin;
    }
    end_block();
    if (all + directory.size() > kMostArchiveBytes)
        throw Error(Status::bad_input,
                    "programs of " + std::to_string(all) + " bytes are too many for one archive");
    std::string body;
    put_packed(body, directory);
    body += packed;
    return std::string(kMagic) + hex(hash(body)) + body;
}

// ---- Reading -----------------------------------------------------------------------------------

namespace {
struct Damaged {};

// Takes from the front; throws Damaged where there is too little.
class Taker {
  public:
    explicit Taker(std::string_view bytes) : rest_(bytes) {}
    bool is_empty() const { return rest_.empty(); }
    size_t left() const { return rest_.size(); }
    size_t number() {
        uint64_t value = 0;
        for (int shift = 0; char c : chars(8)) {
            value |= uint64_t{static_cast<unsigned char>(c)} << shift;
            shift += 8;
        }
        return static_cast<size_t>(value);
    }
    std::string_view text() { return chars(number()); }

  private:
    std::string_view chars(size_t count) {
        if (rest_.size() < count) throw Damaged{};
        std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }
    std::string_view rest_;
};

std::string_view checked_body(std::string_view bytes, const std::string& name) {
    constexpr const char* kRemedy =
        "; it is left out. Install Lanewise again, or write it with lanewise-engine prebuild --all";
    if (bytes.starts_with(kFamily) && bytes.size() > kMagic.size() && !bytes.starts_with(kMagic))
        throw Error(Status::bad_input, name + " is of another version of Lanewise" + kRemedy);
    bool whole = bytes.starts_with(kMagic) && bytes.size() >= kMagic.size() + kChecksumBytes;
    if (whole) {
        std::string_view checksum = bytes.substr(kMagic.size(), kChecksumBytes);
        bytes.remove_prefix(kMagic.size() + kChecksumBytes);
        whole = checksum == hex(hash(bytes));
    }
    if (!whole) throw Error(Status::bad_input, name + " is cut or damaged" + kRemedy);
    return bytes;
}

ProgramArchive::Entry take_entry(Taker& directory) {
    ProgramArchive::Entry entry;
    for (std::string* text :
         {&entry.program.entry, &entry.program.arch, &entry.program.compiler, &entry.program.log})
        *text = directory.text();
    entry.block = directory.number();
    entry.ptx_bytes = directory.number();
    entry.cubin_bytes = directory.number();
    return entry;
}
}  // namespace

ProgramArchive::ProgramArchive(std::string bytes, const std::string& name)
    : bytes_(std::move(bytes)) {
    std::string_view body = checked_body(bytes_, name);
    try {
        Taker taker(body);
        size_t all = 0;
        for (bool is_directory = true; is_directory || !taker.is_empty(); is_directory = false) {
            size_t unpacked = taker.number();
            std::string_view packed = taker.text();
            if (unpacked > kMostArchiveBytes - all) throw Damaged{};
            all += unpacked;
            blocks_.push_back(
                {bytes_.size() - taker.left() - packed.size(), packed.size(), unpacked});
        }
        std::optional<std::string> directory = block(0);
        blocks_.erase(blocks_.begin());
        if (!directory) throw Damaged{};
        std::vector<size_t> used(blocks_.size());
        for (Taker texts(*directory); !texts.is_empty();) {
            keys_.emplace_back(texts.text());
            Entry entry = take_entry(texts);
            if (entry.block >= blocks_.size()) throw Damaged{};
            size_t left = blocks_[entry.block].bytes - used[entry.block];
            if (entry.ptx_bytes > left || entry.cubin_bytes > left - entry.ptx_bytes)
                throw Damaged{};
            entry.begin = used[entry.block];
            used[entry.block] += entry.ptx_bytes + entry.cubin_bytes;
            entries_.push_back(std::move(entry));
        }
    } catch (const Damaged&) {  // with a right checksum: made to mislead
        throw Error(Status::bad_input, name + " is damaged; it is left out");
    }
}

const ProgramArchive::Entry* ProgramArchive::find(const std::string& key) const {
    auto found = std::find(keys_.begin(), keys_.end(), key);
    return found == keys_.end() ? nullptr : &entries_[static_cast<size_t>(found - keys_.begin())];
}

std::optional<std::string> ProgramArchive::block(size_t number) const {
    const Block& block = blocks_[number];
    return xz_unpacked(std::string_view(bytes_).substr(block.begin, block.packed_bytes),
                       block.bytes);
}

Program program_in(const ProgramArchive::Entry& entry, std::string_view block) {
    Program program = entry.program;
    program.ptx = block.substr(entry.begin, entry.ptx_bytes);
    program.cubin = block.substr(entry.begin + entry.ptx_bytes, entry.cubin_bytes);
    return program;
}

}  // namespace lanewise
