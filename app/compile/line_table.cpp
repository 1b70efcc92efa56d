// The names and numbers are those of the DWARF standard, version 3, section 6.2.
#include "compile/line_table.h"

#include <algorithm>
#include <climits>
#include <iterator>

namespace lanewise {

namespace {
enum StandardOpcode : uint8_t {
    copy = 1,
    advance_pc = 2,
    advance_line = 3,
    set_file = 4,
    const_add_pc = 8,
    fixed_advance_pc = 9,
};
// NVIDIA adds 0x90 and 0x91 (the function that is inlined, and its name), which we skip.
enum ExtendedOpcode : uint8_t { end_sequence = 1, set_address = 2, define_file = 3 };

// Takes one value after the other off the front of some bytes.
class Cursor {
  public:
    explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
    bool at_end() const { return at_ == bytes_.size(); }
    uint64_t position() const { return at_; }
    template <typename T>
    T take() {
        T value = Elf::read<T>(bytes_, at_);
        at_ += sizeof(T);
        return value;
    }
    uint64_t take_unsigned() {  // LEB128
        uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            auto byte = take<uint8_t>();
            if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (!(byte & 0x80)) return value;
        }
    }
    int64_t take_signed() {  // LEB128
        uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            auto byte = take<uint8_t>();
            if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte & 0x80) continue;
            if (shift < 57 && (byte & 0x40)) value |= ~uint64_t{0} << (shift + 7);
            return static_cast<int64_t>(value);
        }
    }
    std::string_view take_text() {
        size_t end = bytes_.find('\0', at_);
        if (end == std::string_view::npos) Elf::fail("a name in its line table has no end");
        std::string_view text = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return text;
    }
    std::string_view take_bytes(uint64_t count) {
        if (count > bytes_.size() - at_) Elf::fail("its line table ends too early");
        std::string_view part = bytes_.substr(at_, count);
        at_ += count;
        return part;
    }

  private:
    std::string_view bytes_;
    uint64_t at_ = 0;
};

// One unit of the table: a header, and a program that writes rows.
class Unit {
  public:
    // `body`: the unit without its length field, which lies at byte `start` of the section.
    Unit(std::string_view body, uint64_t start, LineTable& table)
        : program_(body), start_(start), table_(table) {
        read_header();
    }
    // Appends the rows of the sequences whose address is relocated to section `code`. The
    // relocations come sorted.
    void run(const std::vector<Elf::Relocation>& relocations, uint32_t code) {
        while (!program_.at_end()) step(relocations, code);
    }

  private:
    void read_header() {
        auto version = program_.take<uint16_t>();
        if (version < 2 || version > 3) Elf::fail("its line table has a version unknown here");
        Cursor header(program_.take_bytes(program_.take<uint32_t>()));
        instruction_length_ = header.take<uint8_t>();
        header.take<uint8_t>();  // whether rows begin statements
        line_base_ = header.take<int8_t>();
        line_range_ = header.take<uint8_t>();
        opcode_base_ = header.take<uint8_t>();
        if (line_range_ == 0 || opcode_base_ == 0) Elf::fail("its line table has no opcodes");
        for (int i = 1; i < opcode_base_; ++i) arguments_.push_back(header.take<uint8_t>());
        for (auto folder = header.take_text(); !folder.empty(); folder = header.take_text())
            folders_.push_back(folder);
        for (auto name = header.take_text(); !name.empty(); name = header.take_text())
            add_file(name, header);
    }

    void add_file(std::string_view name, Cursor& from) {
        uint64_t folder = from.take_unsigned();
        from.take_unsigned();  // time of change
        from.take_unsigned();  // length
        bool has_folder = folder >= 1 && folder <= folders_.size() && name.substr(0, 1) != "/";
        std::string path = has_folder ? std::string(folders_[folder - 1]) + "/" : "";
        files_.push_back(static_cast<int>(table_.files.size()) + 1);
        table_.files.push_back(path + std::string(name));
    }

    void step(const std::vector<Elf::Relocation>& relocations, uint32_t code) {
        auto opcode = program_.take<uint8_t>();
        if (opcode >= opcode_base_) {
            advance_by_special(opcode);
            line_ += static_cast<uint64_t>(line_base_ + (opcode - opcode_base_) % line_range_);
            append(false);
        } else if (opcode == 0) {
            extended(relocations, code);
        } else {
            standard(opcode);
        }
    }

    void standard(uint8_t opcode) {
        switch (opcode) {
            case copy:
                append(false);
                break;
            case advance_pc:
                address_ += program_.take_unsigned() * instruction_length_;
                break;
            case advance_line:
                line_ += static_cast<uint64_t>(program_.take_signed());
                break;
            case set_file:
                file_ = program_.take_unsigned();
                break;
            case const_add_pc:
                advance_by_special(255);
                break;
            case fixed_advance_pc:
                address_ += program_.take<uint16_t>();
                break;
            default:  // columns, statements, blocks, prologues, and what later versions add
                for (int i = 0; i < arguments_[opcode - 1]; ++i) program_.take_unsigned();
        }
    }

    void extended(const std::vector<Elf::Relocation>& relocations, uint32_t code) {
        uint64_t length = program_.take_unsigned();
        uint64_t at = start_ + kLengthField + program_.position() + 1;  // of the operand
        Cursor operand(program_.take_bytes(length));
        if (length == 0) return;
        switch (operand.take<uint8_t>()) {
            case end_sequence:
                append(true);
                address_ = 0, file_ = 1, line_ = 1, ours_ = false;
                break;
            case set_address: {
                auto target = std::lower_bound(relocations.begin(), relocations.end(), at,
                                               [](const auto& r, uint64_t a) { return r.at < a; });
                ours_ = target != relocations.end() && target->at == at && target->section == code;
                address_ = operand.take<uint64_t>() + (ours_ ? target->offset : 0);
                break;
            }
            case define_file: {
                std::string_view name = operand.take_text();
                add_file(name, operand);
                break;
            }
            default:
                break;
        }
    }

    // The address part of a special opcode, which const_add_pc uses too.
    void advance_by_special(int opcode) {
        address_ +=
            static_cast<uint64_t>((opcode - opcode_base_) / line_range_) * instruction_length_;
    }

    void append(bool is_end) {
        if (!ours_) return;
        int line = line_ <= INT_MAX ? static_cast<int>(line_) : 0;
        int file = file_ >= 1 && file_ <= files_.size() ? files_[file_ - 1] : 0;
        table_.rows.push_back({address_, is_end, line, file});
    }

    static constexpr uint64_t kLengthField = 4;

    Cursor program_;
    uint64_t start_;
    LineTable& table_;
    uint64_t instruction_length_ = 1;
    int line_base_ = 0, line_range_ = 1, opcode_base_ = 1;
    std::vector<uint8_t> arguments_;  // how many each standard opcode has, from opcode 1 on
    std::vector<std::string_view> folders_;
    std::vector<int> files_;  // this unit's files -> index into table_.files, from 1 on
    // The registers of the program.
    uint64_t address_ = 0, file_ = 1, line_ = 1;
    bool ours_ = false;  // the current sequence describes the code that we are after
};
}  // namespace

LineTable read_line_table(const Elf& elf, std::string_view name, const Elf64_Shdr& code) {
    LineTable table;
    const Elf64_Shdr* section = elf.section(name);
    if (!section) return table;
    std::vector<Elf::Relocation> relocations = elf.relocations(name);
    std::sort(relocations.begin(), relocations.end(),
              [](const auto& a, const auto& b) { return a.at < b.at; });
    Cursor units(elf.contents(*section));
    while (!units.at_end()) {
        uint64_t start = units.position();
        Unit unit(units.take_bytes(units.take<uint32_t>()), start, table);
        unit.run(relocations, elf.index_of(code));
    }
    // A sequence may begin where another ends: the end must not hide it.
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return a.address != b.address ? a.address < b.address : a.is_end && !b.is_end;
    });
    return table;
}

const LineTable::Row* LineTable::at(uint64_t address) const {
    auto next = std::upper_bound(rows.begin(), rows.end(), address,
                                 [](uint64_t a, const Row& row) { return a < row.address; });
    if (next == rows.begin() || std::prev(next)->is_end) return nullptr;
    return &*std::prev(next);
}

std::string LineTable::file_of(const Row& row) const {
    return row.file ? files[static_cast<size_t>(row.file) - 1] : std::string();
}

}  // namespace lanewise
