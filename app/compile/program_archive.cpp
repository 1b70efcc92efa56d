#include "compile/program_archive.h"

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/hash.h"
#include "compile/cubin.h"
#include "compile/lzma2.h"
#include "compile/ptx_counts.h"

namespace lanewise {

static constexpr std::string_view kFamily = "lanewise programs ", kMagic = "lanewise programs 2\n";
static constexpr size_t kChecksumBytes = 16;
// Most archives are of one block. Blocks of 8 MiB make what is shipped an eighth larger, as what is
// alike in several of them is packed several times; the largest then has 4 instead of 1 to unpack.
static constexpr size_t kBlockBytes = 32u << 20;
static constexpr size_t kPacksOfABlock = 4;

// ---- Writing -----------------------------------------------------------------------------------

static void put(std::string& bytes, uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
}
static void put(std::string& bytes, std::string_view text) {
    put(bytes, text.size());
    bytes += text;
}

static void put_packed(std::string& bytes, std::string_view unpacked, PackedAs as) {
    put(bytes, unpacked.size());
    put(bytes, lzma2_packed(unpacked, as));
}

namespace {

// A block's four packs before they are packed, which are filled and emptied again and again.
struct OpenBlock {
    std::string ptx, code, lines, rest;
    size_t size() const { return ptx.size() + code.size() + lines.size() + rest.size(); }

    void add_cubin(std::string_view cubin) {
        if (cubin.empty()) return;
        const std::vector<CubinPart> parts = cubin_parts(cubin);
        put(rest, parts.size());
        for (const CubinPart& part : parts)
            for (uint64_t number : {static_cast<uint64_t>(part.kind), uint64_t{part.begin}, uint64_t{part.bytes}})
                put(rest, number);
        size_t at = 0;
        for (const CubinPart& part : parts) {
            rest += cubin.substr(at, part.begin - at);
            at = part.begin + part.bytes;
            (part.kind == CubinPart::Kind::code ? code : lines) += cubin.substr(part.begin, part.bytes);
        }
        rest += cubin.substr(at);
    }

    void put_into(std::string& packed) const {
        put_packed(packed, ptx, PackedAs::text);
        put_packed(packed, code, PackedAs::code);
        put_packed(packed, lines, PackedAs::bytes);
        put_packed(packed, rest, PackedAs::bytes);
    }
};

}  // namespace

std::string encode_archive(const std::vector<ArchivedProgram>& programs) {
    std::string directory, packed;
    OpenBlock block;
    size_t blocks = 0, all = 0;
    auto end_block = [&] {
        if (block.size() == 0) return;
        all += block.size();
        block.put_into(packed);
        ++blocks;
        block = {};
    };
    for (const ArchivedProgram& each : programs) {
        const Program& program = each.program;
        const std::string ptx = ptx_counted(program.ptx);
        if (block.size() + ptx.size() + program.cubin.size() > kBlockBytes) end_block();
        for (const std::string* text :
             {&each.key, &program.entry, &program.arch, &program.compiler, &program.log})
            put(directory, *text);
        for (uint64_t number : {uint64_t{blocks}, uint64_t{ptx.size()}, uint64_t{program.cubin.size()}})
            put(directory, number);
        block.ptx += ptx;
        block.add_cubin(program.cubin);
    }
    end_block();
    if (all + directory.size() > kMostArchiveBytes)
        throw Error(Status::bad_input,
                    "programs of " + std::to_string(all) + " bytes are too many for one archive");
    std::string body;
    put_packed(body, directory, PackedAs::bytes);
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
    std::string_view chars(size_t count) {
        if (rest_.size() < count) throw Damaged{};
        std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }

  private:
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

// The next cubin, of `bytes`, from its three packs.
void put_cubin(std::string& cubins, size_t bytes, Taker& code, Taker& lines, Taker& rest) {
    const size_t end = cubins.size() + bytes;
    size_t at = 0;
    auto put_rest = [&](size_t to) {
        if (to < at || to > bytes) throw Damaged{};
        cubins += rest.chars(to - at);
        at = to;
    };
    std::vector<CubinPart> parts;
    for (size_t left = rest.number(); left > 0; --left) {
        const size_t kind = rest.number(), begin = rest.number();
        parts.push_back({CubinPart::Kind{static_cast<int>(kind)}, begin, rest.number()});
        if (kind > 1) throw Damaged{};
    }
    for (const CubinPart& part : parts) {
        put_rest(part.begin);
        if (part.bytes > bytes - at) throw Damaged{};
        cubins += (part.kind == CubinPart::Kind::code ? code : lines).chars(part.bytes);
        at += part.bytes;
    }
    put_rest(bytes);
    if (cubins.size() != end) throw Damaged{};
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
            packs_.push_back(
                {bytes_.size() - taker.left() - packed.size(), packed.size(), unpacked});
        }
        std::optional<std::string> directory = unpacked(packs_.front());
        packs_.erase(packs_.begin());
        if (!directory || packs_.size() % kPacksOfABlock != 0) throw Damaged{};
        std::vector<size_t> ptx(packs_.size() / kPacksOfABlock), cubins(ptx.size());  // bytes so far
        for (Taker texts(*directory); !texts.is_empty();) {
            keys_.emplace_back(texts.text());
            Entry entry = take_entry(texts);
            if (entry.block >= ptx.size() || entry.ptx_bytes > kMostArchiveBytes ||
                entry.cubin_bytes > kMostArchiveBytes)
                throw Damaged{};
            entry.ptx_begin = ptx[entry.block];
            entry.cubin_begin = cubins[entry.block];
            ptx[entry.block] += entry.ptx_bytes;
            cubins[entry.block] += entry.cubin_bytes;
            if (ptx[entry.block] + cubins[entry.block] > kMostArchiveBytes) throw Damaged{};
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

std::optional<std::string> ProgramArchive::unpacked(const Pack& pack) const {
    return lzma2_unpacked(std::string_view(bytes_).substr(pack.begin, pack.packed_bytes), pack.bytes);
}

std::optional<ProgramBlock> ProgramArchive::block(size_t number) const {
    const Pack* packs = &packs_[number * kPacksOfABlock];
    std::optional<std::string> ptx = unpacked(packs[0]), code = unpacked(packs[1]),
                               lines = unpacked(packs[2]), rest = unpacked(packs[3]);
    if (!ptx || !code || !lines || !rest) return {};
    ProgramBlock block{std::move(*ptx), ""};
    try {
        Taker of_code(*code), of_lines(*lines), of_rest(*rest);
        size_t ptx_bytes = 0;
        for (const Entry& entry : entries_) {
            if (entry.block != number) continue;
            ptx_bytes += entry.ptx_bytes;
            if (entry.cubin_bytes > 0)
                put_cubin(block.cubins, entry.cubin_bytes, of_code, of_lines, of_rest);
        }
        if (ptx_bytes != block.ptx.size()) return {};
    } catch (const Damaged&) {
        return {};
    }
    return block;
}

std::optional<Program> program_in(const ProgramArchive::Entry& entry, const ProgramBlock& block) {
    std::optional<std::string> ptx =
        ptx_restored(std::string_view(block.ptx).substr(entry.ptx_begin, entry.ptx_bytes));
    if (!ptx) return {};
    Program program = entry.program;
    program.ptx = std::move(*ptx);
    program.cubin = block.cubins.substr(entry.cubin_begin, entry.cubin_bytes);
    return program;
}

}  // namespace lanewise
