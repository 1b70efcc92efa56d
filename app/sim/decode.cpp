#include "sim/decode.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "sim/atomics.h"
#include "sim/control_flow.h"
#include "sim/float_operations.h"
#include "sim/modes.h"
#include "sim/operations.h"
#include "sim/print.h"
#include "sim/warp_operations.h"

namespace lanewise {

namespace {

using Kind = ptx::Operand::Kind;
using ptx::RegisterKind;

struct TypeName {
    std::string_view name;
    Type type;
    uint8_t bytes;
};
constexpr TypeName kTypes[] = {
    {"pred", Type::pred, 1},     {"b8", Type::u8, 1},     {"u8", Type::u8, 1},
    {"s8", Type::s8, 1},         {"b16", Type::u16, 2},   {"u16", Type::u16, 2},
    {"s16", Type::s16, 2},       {"f16", Type::f16, 2},   {"b32", Type::u32, 4},
    {"u32", Type::u32, 4},       {"s32", Type::s32, 4},   {"f32", Type::f32, 4},
    {"b64", Type::u64, 8},       {"u64", Type::u64, 8},   {"s64", Type::s64, 8},
    {"f64", Type::f64, 8},       {"bf16", Type::bf16, 2}, {"f16x2", Type::f16x2, 4},
    {"bf16x2", Type::bf16x2, 4},
};
const TypeName* find_type(std::string_view name) {
    for (const TypeName& type : kTypes)
        if (type.name == name) return &type;
    return nullptr;
}

template <size_t n>
bool is_one_of(std::string_view word, const std::string_view (&words)[n]) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Modifiers of a load or store that change neither its result nor its count.
bool is_cache_hint(std::string_view part) {
    static constexpr std::string_view hints[] = {"ca",
                                                 "cg",
                                                 "cs",
                                                 "lu",
                                                 "cv",
                                                 "wb",
                                                 "wt",
                                                 "nc",
                                                 "volatile",
                                                 "weak",
                                                 "relaxed",
                                                 "acquire",
                                                 "release",
                                                 "cta",
                                                 "gpu",
                                                 "sys",
                                                 "cluster",
                                                 "L1::evict_normal",
                                                 "L1::evict_unchanged",
                                                 "L1::evict_first",
                                                 "L1::evict_last",
                                                 "L1::no_allocate",
                                                 "L2::64B",
                                                 "L2::128B",
                                                 "L2::256B"};
    return is_one_of(part, hints);
}

class Decoder {
  public:
    explicit Decoder(const ptx::Kernel& kernel) : kernel_(kernel) {
        always_ = take(kPredicateRow);
        spare_predicate_ = take(kPredicateRow);
        predicates_ = take(kernel.predicates * kPredicateRow);
        next_row_ = (next_row_ + 63) / 64 * 64;
        spare_word_ = take(kWordRow);
        spare_wide_ = take(kWideRow);
        words_ = take(kernel.words * kWordRow);
        wides_ = take(kernel.wides * kWideRow);
    }

    DecodedKernel run() {
        for (at_ = 0; at_ < kernel_.instructions.size(); ++at_) {
            flow_.emplace_back();
            result_.ops.push_back(one(kernel_.instructions[at_]));
        }
        Op end;
        end.flow = Flow::exit;
        end.guard = always_;
        end.instruction = at_ == 0 ? 0 : at_ - 1;
        result_.ops.push_back(end);
        add_control_flow();
        result_.state_bytes = next_row_;
        return std::move(result_);
    }

  private:
    Op one(const ptx::Instruction& instruction) {
        now_ = &instruction;
        op_ = Op{};
        op_.instruction = at_;
        op_.guard = always_;
        op_.d2 = op_.c = spare_predicate_;
        if (instruction.guarded) {
            op_.guard = source_register(instruction.guard.reg);
            op_.guard_flip = instruction.guard.negated ? kAllLanes : 0;
            flow().is_guarded = true;
        }
        const std::string& opcode = instruction.parts[0];
        if (opcode == "bra")
            branch();
        else if (opcode == "ret" || opcode == "exit")
            exit();
        else if (is_barrier())
            barrier();
        else if (opcode == "ld" || opcode == "ldu")
            memory(false);
        else if (opcode == "st")
            memory(true);
        else if (opcode == "atom" || opcode == "red")
            atomic();
        else if (opcode == "call")
            call();
        else if (opcode == "cp")
            copy_async();
        else if (opcode == "ldmatrix")
            load_matrix();
        else if (opcode == "mma" || opcode == "wmma")
            matrix();
        else if (opcode == "brx")
            branch_indexed();
        else if (opcode == "mov" && is_clock())
            clock();
        else if (opcode == "mov" && operand(0).kind == Kind::vector)
            unpack();
        else if (opcode == "mov" && operand(1).kind == Kind::vector)
            pack();
        else
            from_table();
        return op_;
    }

    // Control flow --------------------------------------------------------------------------------

    void branch() {
        if (operand(0).kind != Kind::label) unknown();
        op_.flow = Flow::branch;
        op_.target = static_cast<uint32_t>(operand(0).value);
        flow().is_branch = true;
        flow().target = op_.target;
    }
    // brx.idx a, targets: the a-th of a list
    void branch_indexed() {
        if (now_->operands.size() != 2 || operand(1).kind != Kind::vector) unknown();
        op_.flow = Flow::branch_indexed;
        op_.a = source(operand(0), false);
        op_.target = static_cast<uint32_t>(result_.targets.size());
        op_.targets = static_cast<uint32_t>(operand(1).elements.size());
        for (const ptx::Operand& label : operand(1).elements) {
            if (label.kind != Kind::label) unknown();
            result_.targets.push_back(static_cast<uint32_t>(label.value));
            flow().others.push_back(result_.targets.back());
        }
        flow().is_branch = true;
        flow().target = flow().others.at(0);
    }
    // Functions of the module are in place already (ptx/); the system's printf is left.
    void call() {
        bool prints = now_->operands.size() == 4 && operand(0).name == "vprintf";
        for (size_t i = 1; i < now_->operands.size(); ++i)
            prints = prints && operand(i).space == ptx::SymbolSpace::local;
        if (!prints) unknown();
        op_.immediate = operand(1).value;
        op_.a = static_cast<uint32_t>(operand(2).value);
        op_.b = static_cast<uint32_t>(operand(3).value);
        op_.execute = run_vprintf;
    }
    void exit() {
        op_.flow = Flow::exit;
        flow().is_exit = true;
    }
    // bar.sync, bar.cta.sync, barrier.sync, barrier.cta.sync.aligned
    bool is_barrier() const {
        const auto& parts = now_->parts;
        if (parts[0] != "bar" && parts[0] != "barrier") return false;
        return std::all_of(parts.begin() + 1, parts.end(),
                           [](std::string_view part) {
                               return part == "sync" || part == "aligned" || part == "cta";
                           }) &&
               parts.size() > 1;
    }
    void barrier() {
        op_.flow = Flow::barrier;
        op_.a = source(operand(0), false);
        op_.has_base = now_->operands.size() > 1;  // a number of threads
        if (op_.has_base) op_.b = source(operand(1), false);
    }

    // Memory --------------------------------------------------------------------------------------

    void memory(bool store) {
        std::string_view space;
        const TypeName* type = nullptr;
        op_.is_store = store;
        for (size_t i = 1; i < now_->parts.size(); ++i) {
            std::string_view part = now_->parts[i];
            static constexpr std::string_view spaces[] = {"global",      "shared", "shared::cta",
                                                          "local",       "param",  "param::entry",
                                                          "param::func", "const"};
            if (is_one_of(part, spaces))
                space = part.substr(0, part.find(':'));
            else if (part == "v2")
                op_.elements = 2;
            else if (part == "v4")
                op_.elements = 4;
            else if (find_type(part))
                type = find_type(part);
            else if (!is_cache_hint(part))
                unknown();
            static constexpr std::string_view seen[] = {"volatile", "relaxed", "acquire", "cv"};
            if (is_one_of(part, seen)) result_.may_spin = true;
        }
        if (!type || now_->operands.size() != 2) unknown();
        op_.bytes = type->bytes;
        if (op_.bytes * op_.elements > 16) unknown();
        bool wide = elements(operand(store ? 1 : 0), store);
        const ptx::Operand& address = operand(store ? 0 : 1);
        if (address.kind != Kind::address) unknown();
        if (space == "param" && address.space == ptx::SymbolSpace::local) space = "local";
        if (space == "param") return load_parameter(address, *type, wide);
        memory_address(address, space);
        auto select = store ? operations().store : operations().load;
        op_.execute = select(place_of(space), type->type, wide);
        if (!op_.execute) unknown();
    }

    void memory_address(const ptx::Operand& address, std::string_view space) {
        op_.immediate = address.value;
        op_.has_base = address.has_base;
        if (address.has_base) {
            op_.wide_base = address.reg.kind == RegisterKind::wide;
            op_.a = source_register(address.reg);
        } else if (!address.name.empty()) {
            bool matches = (address.space == ptx::SymbolSpace::shared && space == "shared") ||
                           (address.space == ptx::SymbolSpace::local && space == "local") ||
                           (address.space == ptx::SymbolSpace::module &&
                            (space == "global" || space == "const" || space == ""));
            if (!matches) unknown();
        }
    }

    // atom.space.op.type d, [a], b, c    red.space.op.type [a], b
    void atomic() {
        std::string_view space, name;
        const TypeName* type = nullptr;
        for (size_t i = 1; i < now_->parts.size(); ++i) {
            std::string_view part = now_->parts[i];
            static constexpr std::string_view spaces[] = {"global", "shared", "shared::cta"};
            if (is_one_of(part, spaces))
                space = part.substr(0, part.find(':'));
            else if (find_type(part) && !type)
                type = find_type(part);
            else if (part == "acq_rel" || part == "noftz" || is_cache_hint(part))
                continue;
            else if (name.empty())
                name = part;
            else
                unknown();
        }
        op_.is_store = now_->parts[0] == "red";
        result_.may_spin = true;
        size_t first = op_.is_store ? 0 : 1, count = name == "cas" ? 2 : 1;
        if (!type || now_->operands.size() != first + 1 + count) unknown();
        op_.execute = find_atomic(name, type->type);
        const ptx::Operand& address = operand(first);
        if (!op_.execute || address.kind != Kind::address) unknown();
        bool wide = type->bytes == 8;
        memory_address(address, space);
        op_.bytes = type->bytes;
        op_.elements = static_cast<uint8_t>(place_of(space));
        op_.b = op_.c = source(operand(first + 1), wide);
        if (count == 2) op_.c = source(operand(first + 2), wide);
        op_.d = op_.is_store ? (wide ? spare_wide_ : spare_word_) : destination(operand(0), wide);
    }
    bool has(std::string_view part) const {
        return std::find(now_->parts.begin() + 1, now_->parts.end(), part) != now_->parts.end();
    }
    std::string_view space_of() const {
        for (std::string_view part : now_->parts)
            if (part == "global" || part.starts_with("shared"))
                return part.substr(0, part.find(':'));
        return "";
    }

    // cp.async.cg.shared.global [d], [a], 16 [, read];    cp.async.commit_group and the waits
    void copy_async() {
        if (!has("async") || has("bulk") || has("mbarrier")) unknown();
        if (has("commit_group") || has("wait_group") || has("wait_all")) {
            op_.execute = [](Warp&, const Op&) {};  // the copies are done already
            return;
        }
        const auto& operands = now_->operands;
        if (operands.size() < 3 || operands.size() > 4 || operand(2).kind != Kind::immediate)
            unknown();
        const ptx::Operand &to = operand(0), &from = operand(1);
        uint64_t bytes = operand(2).value;
        bool addresses = to.kind == Kind::address && from.kind == Kind::address;
        if (!addresses || (bytes != 4 && bytes != 8 && bytes != 16)) unknown();
        memory_address(to, "shared");
        op_.b = op_.a;
        op_.targets = static_cast<uint32_t>(op_.immediate);
        op_.elements = !op_.has_base ? 0 : op_.wide_base ? 8 : 4;
        memory_address(from, "global");
        op_.bytes = static_cast<uint8_t>(bytes);
        op_.d2 = operands.size() == 4 ? source(operand(3), false) : constant(bytes, false);
        op_.execute = run_cp_async;
    }
    // ldmatrix.sync.aligned.m8n8.x4[.trans].shared.b16 {d, …}, [a]
    void load_matrix() {
        op_.elements = has("x4") ? 4 : has("x2") ? 2 : 1;
        if (!has("m8n8") || !has("b16") || now_->operands.size() != 2) unknown();
        op_.bytes = 4;  // for elements()
        elements(operand(0), false);
        if (operand(1).kind != Kind::address) unknown();
        std::string_view space = space_of();
        memory_address(operand(1), space);
        op_.bytes = static_cast<uint8_t>(place_of(space));
        op_.c_flip = has("trans");
        op_.execute = run_ldmatrix;
    }

    // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 and wmma.{mma, load, store} of m16n16k16
    void matrix() {
        const auto& parts = now_->parts;
        bool whole = parts[0] == "wmma";
        if (!has(whole ? "m16n16k16" : "m16n8k16")) unknown();
        MatrixRows m;
        std::vector<std::string_view> types;
        for (size_t i = 1; i < parts.size(); ++i)
            if (find_type(parts[i])) types.push_back(parts[i]);
        m.columns = whole ? 16 : 8;
        if (whole && has("load"))
            fragment_access(m, types, false);
        else if (whole && has("store"))
            fragment_access(m, types, true);
        else
            product(m, types, whole);
        op_.immediate = reinterpret_cast<uint64_t>(&result_.matrices.emplace_back(m));
    }
    void product(MatrixRows& m, const std::vector<std::string_view>& types, bool whole) {
        if (whole && !has("mma")) unknown();
        std::string_view d = types.empty() ? "" : types.front(),
                         c = types.empty() ? "" : types.back();
        std::string_view factor = "f16";
        if (types.size() == 4) factor = types[1] == types[2] ? types[1] : "";
        bool sums = (d == "f32" || d == "f16") && (c == "f32" || c == "f16");
        bool factors = factor == "f16" || factor == "bf16";
        // A wmma.mma's col.row and the like concern the loads, which have put each element in
        // place.
        bool layout = whole || (has("row") && has("col"));
        if ((types.size() != 2 && types.size() != 4) || !sums || !factors || !layout ||
            now_->operands.size() != 4)
            unknown();
        m.half_d = d == "f16";
        m.half_c = c == "f16";
        m.brain = factor == "bf16";
        size_t sum = whole ? 8 : 4;
        fragment(operand(0), m.d, m.half_d ? sum / 2 : sum, false);
        fragment(operand(1), m.a, whole && !m.brain ? 8 : 4, true);
        fragment(operand(2), m.b, whole ? (m.brain ? 4 : 8) : 2, true);
        fragment(operand(3), m.c, m.half_c ? sum / 2 : sum, true);
        op_.execute = run_mma;
    }
    void fragment_access(MatrixRows& m, const std::vector<std::string_view>& types, bool store) {
        bool single = has("f32");
        m.matrix = has("a") ? 'a' : has("b") ? 'b' : 'c';
        bool known = types.size() == 1 && (single || has("f16")) && (m.matrix == 'c' || !single);
        const ptx::Operand& address = operand(store ? 0 : 1);
        if (!known || now_->operands.size() != 3 || address.kind != Kind::address) unknown();
        m.half_c = !single;
        m.column_major = has("col");
        std::string_view space = space_of();
        m.where = place_of(space);
        memory_address(address, space);
        m.address = op_.has_base ? op_.a : constant(0, true);
        m.wide_address = !op_.has_base || op_.wide_base;
        m.displacement = address.value;
        m.stride = source(operand(2), false);
        size_t count = m.matrix == 'c' && m.half_c ? 4 : 8;
        fragment(operand(store ? 1 : 0), store ? m.c : m.d, count, store);
        op_.is_store = store;
        op_.execute = store ? run_wmma_store : run_wmma_load;
    }
    void fragment(const ptx::Operand& operand, uint32_t (&rows)[8], size_t count, bool read) {
        if (operand.kind != Kind::vector || operand.elements.size() != count) unknown();
        for (size_t i = 0; i < count; ++i)
            rows[i] =
                read ? source(operand.elements[i], false) : destination(operand.elements[i], false);
    }

    static Operations::Where place_of(std::string_view space) {
        using enum Operations::Where;
        return space == "global"   ? global
               : space == "shared" ? shared
               : space == "local"  ? local
               : space == "const"  ? constant
                                   : generic;
    }

    void load_parameter(const ptx::Operand& address, const TypeName& type, bool wide) {
        uint64_t end = address.value + uint64_t{op_.bytes} * op_.elements;
        if (op_.is_store || address.has_base || address.space != ptx::SymbolSpace::parameter ||
            end > kernel_.parameter_bytes || address.value > end)
            unknown();
        op_.immediate = address.value;
        op_.c_flip = type.type == Type::s8 || type.type == Type::s16 || type.type == Type::s32;
        op_.execute = wide ? operations().load_parameter_wide : operations().load_parameter_word;
    }

    // The registers of a load's destination, a store's source or half a mov. True where they have
    // 64 bits.
    bool elements(const ptx::Operand& operand, bool read) {
        std::vector<ptx::Operand> list = {operand};
        if (operand.kind == Kind::vector) list = operand.elements;
        if (list.size() != op_.elements) unknown();
        bool wide = op_.bytes == 8;
        for (const ptx::Operand& element : list)
            if (element.kind == Kind::reg) wide = element.reg.kind == RegisterKind::wide;
        for (size_t i = 0; i < list.size(); ++i)
            op_.vector[i] = read ? source(list[i], wide) : destination(list[i], wide);
        return wide;
    }

    // Moves that are not one row to another
    // ---------------------------------------------------------

    bool is_clock() const {
        static constexpr std::string_view clocks[] = {"%clock", "%clock_hi", "%clock64",
                                                      "%globaltimer"};
        return now_->operands.size() == 2 && now_->operands[1].kind == Kind::special &&
               is_one_of(now_->operands[1].name, clocks);
    }
    void clock() {
        bool wide = operand(0).reg.kind == RegisterKind::wide;
        op_.d = destination(operand(0), wide);
        op_.execute = wide ? operations().clock_wide : operations().clock_word;
    }
    // mov.b64 d, {a, b}
    void pack() {
        uint8_t whole = mov_bytes();
        set_part_bytes(whole, operand(1));
        if (elements(operand(1), true)) unknown();
        op_.d = destination(operand(0), whole == 8);
        op_.execute = whole == 8 ? operations().pack_wide : operations().pack_word;
    }
    // mov.b64 {a, b}, d
    void unpack() {
        uint8_t whole = mov_bytes();
        op_.a = source(operand(1), whole == 8);
        set_part_bytes(whole, operand(0));
        if (elements(operand(0), false)) unknown();
        op_.execute = whole == 8 ? operations().unpack_wide : operations().unpack_word;
    }
    uint8_t mov_bytes() const {
        const TypeName* type = now_->parts.size() == 2 ? find_type(now_->parts[1]) : nullptr;
        if (!type || type->bytes < 4) unknown();
        return type->bytes;
    }
    void set_part_bytes(uint8_t whole, const ptx::Operand& vector) {
        size_t count = vector.elements.size();
        if ((count != 2 && count != 4) || whole / count == 0) unknown();
        op_.elements = static_cast<uint8_t>(count);
        op_.bytes = static_cast<uint8_t>(whole / count);
    }

    // Everything that is a row of the operations' table
    // -----------------------------------------------

    void from_table() {
        std::string key = now_->parts[0], plain = key;  // plain: without what Modes holds
        const TypeName* types[2] = {};
        Modes modes;
        size_t count = 0;
        for (size_t i = 1; i < now_->parts.size(); ++i) {
            std::string_view part = now_->parts[i];
            if (const TypeName* type = find_type(part)) {
                if (count == 2) unknown();
                types[count++] = type;
                continue;
            }
            if (changes_operation(part)) key.append(".").append(part);
            if (!add_mode(part, modes)) plain.append(".").append(part);
        }
        bool predicates = count == 1 && types[0]->type == Type::pred;
        if (predicates) key += ".pred";
        Type type = count > 0 ? types[0]->type : Type::none;
        Type second = count > 1 ? types[1]->type : type;
        bool only_moves = key == "mov" || key == "selp";
        if (only_moves && type == Type::f16) type = Type::u16;
        const Operation* operation = operations().find(key);
        op_.execute = operation ? operation->select(type, second) : nullptr;
        if (!op_.execute) {
            op_.immediate = packed(modes);
            if (plain == "cvt") return convert(type, second);
            operation = find_float_operation(plain);
            if (!operation) operation = find_warp_operation(key);
            op_.execute = operation ? operation->select(type, second) : nullptr;
        }
        if (!op_.execute) unknown();
        rows(operation->operands, count > 0 ? types[0]->bytes : 4, count > 1 ? types[1]->bytes : 4);
    }

    // cvt, where the vectorised table has no row
    void convert(Type to, Type from) {
        op_.execute = conversion(to, from);
        if (!op_.execute) unknown();
        bool pair = to == Type::f16x2 || to == Type::bf16x2;
        rows(pair ? "dtt" : "dt", wide(to) ? 8 : 4, wide(from) ? 8 : 4);
        op_.bytes = static_cast<uint8_t>(to);
        op_.elements = static_cast<uint8_t>(from);
    }
    static bool wide(Type type) {
        return type == Type::u64 || type == Type::s64 || type == Type::f64;
    }

    // .sync and .aligned say how lanes meet, which they always do here; fences order nothing that
    // is not ordered; round to nearest is what the host does; a conversion's says what it does.
    bool changes_operation(std::string_view part) const {
        const std::string& opcode = now_->parts[0];
        if (opcode == "membar" || opcode == "fence") return false;
        return part != "sync" && part != "aligned" && !(part == "rn" && opcode != "cvt");
    }

    // The operands by the table's letters (operations.h).
    void rows(std::string_view letters, uint8_t bytes, uint8_t second_bytes) {
        if (letters.size() != now_->operands.size()) unknown();
        uint32_t* places[] = {&op_.a, &op_.b, &op_.c, &op_.d2};
        size_t used = 0;
        for (size_t i = 0; i < letters.size(); ++i) {
            const ptx::Operand& operand = now_->operands[i];
            bool wide = bytes == 8;
            switch (letters[i]) {
                case 'd':
                    with_second(operand, wide);
                    break;
                case 'D':
                    if (i == 0)
                        op_.d = destination(operand, bytes == 4);
                    else
                        *places[used++] = source(operand, bytes == 4);
                    break;
                case 'W':
                    op_.d = destination(operand, false);
                    break;
                case 'P':
                    with_second(operand, false, true);
                    break;
                case 's':
                    *places[used++] = source(operand, wide);
                    break;
                case 't':
                    *places[used++] = source(operand, second_bytes == 8);
                    break;
                case 'w':
                case 'z':
                    *places[used++] = source(operand, false);
                    break;
                case 'l':
                    *places[used++] = source(operand, true);
                    break;
                case 'm':
                    op_.flow = Flow::converge;
                    op_.only_meets = now_->parts[0] == "bar";
                    op_.target = source(operand, false);
                    break;
                case 'V':
                    with_second(operand, false);
                    break;
                case 'p':
                    predicate_source(operand, *places[used++]);
                    break;
                default:
                    unknown();
            }
        }
    }

    // d or d|p
    void with_second(const ptx::Operand& operand, bool wide, bool predicate = false) {
        bool pair = operand.kind == Kind::pair;
        const ptx::Operand& first = pair ? operand.elements[0] : operand;
        op_.d = predicate ? predicate_destination(first) : destination(first, wide);
        if (pair) op_.d2 = predicate_destination(operand.elements[1]);
    }
    void predicate_source(const ptx::Operand& operand, uint32_t& row) {
        if (operand.kind == Kind::immediate) {  // 0 or not: a row of which all lanes are alike
            row = constant(operand.value != 0 ? kAllLanes : 0, false);
            return;
        }
        if (operand.kind != Kind::reg || operand.reg.kind != RegisterKind::predicate) unknown();
        if (operand.negated && &row != &op_.c && now_->parts[0] != "vote") unknown();
        if (operand.negated) op_.c_flip = kAllLanes;
        row = source_register(operand.reg);
    }

    // Operands -> rows
    // ---------------------------------------------------------------------------------

    const ptx::Operand& operand(size_t i) const {
        if (i >= now_->operands.size()) unknown();
        return now_->operands[i];
    }
    uint32_t source(const ptx::Operand& operand, bool wide) {
        switch (operand.kind) {
            case Kind::reg:
                if (operand.negated || operand.reg.kind != kind_of(wide)) unknown();
                return source_register(operand.reg);
            case Kind::immediate:
                return constant(operand.value, wide);
            case Kind::special:
                return special(operand.name, wide);
            case Kind::symbol:
                if (operand.space == ptx::SymbolSpace::unknown ||
                    operand.space == ptx::SymbolSpace::parameter)
                    unknown();
                return constant(operand.value, wide);
            default:
                unknown();
        }
    }
    uint32_t destination(const ptx::Operand& operand, bool wide) {
        if (operand.kind == Kind::sink) return wide ? spare_wide_ : spare_word_;
        if (operand.kind != Kind::reg || operand.negated || operand.reg.kind != kind_of(wide))
            unknown();
        flow().writes.push_back(number(operand.reg));
        return row_of(operand.reg);
    }
    uint32_t predicate_destination(const ptx::Operand& operand) {
        if (operand.kind == Kind::sink) return spare_predicate_;
        if (operand.kind != Kind::reg || operand.reg.kind != RegisterKind::predicate) unknown();
        flow().writes.push_back(number(operand.reg));
        return row_of(operand.reg);
    }
    uint32_t source_register(const ptx::Register& reg) {
        flow().reads.push_back(number(reg));
        return row_of(reg);
    }
    uint32_t constant(uint64_t value, bool wide) {
        if (!wide) value = static_cast<uint32_t>(value);
        auto [it, is_new] = constant_rows_.try_emplace({value, wide}, 0);
        if (is_new) {
            it->second = take(wide ? kWideRow : kWordRow);
            result_.constants.push_back({it->second, wide, value});
        }
        return it->second;
    }
    uint32_t special(const std::string& name, bool wide) {
        const SpecialRegister* reg = find_special_register(name);
        if (!reg) unknown();
        for (const auto& present : result_.specials)
            if (present.reg == reg && present.wide == wide) return present.row;
        result_.specials.push_back({take(wide ? kWideRow : kWordRow), wide, reg});
        return result_.specials.back().row;
    }

    static RegisterKind kind_of(bool wide) {
        return wide ? RegisterKind::wide : RegisterKind::word;
    }
    uint32_t row_of(const ptx::Register& reg) const {
        switch (reg.kind) {
            case RegisterKind::predicate:
                return predicates_ + reg.index * kPredicateRow;
            case RegisterKind::word:
                return words_ + reg.index * kWordRow;
            default:
                return wides_ + reg.index * kWideRow;
        }
    }
    // One numbering for all kinds, for control_flow().
    uint32_t number(const ptx::Register& reg) const {
        switch (reg.kind) {
            case RegisterKind::predicate:
                return reg.index;
            case RegisterKind::word:
                return kernel_.predicates + reg.index;
            default:
                return kernel_.predicates + kernel_.words + reg.index;
        }
    }
    uint32_t take(uint32_t bytes) {
        uint32_t row = next_row_;
        next_row_ += bytes;
        return row;
    }
    FlowInstruction& flow() { return flow_.back(); }

    void add_control_flow() {
        uint32_t registers = kernel_.predicates + kernel_.words + kernel_.wides;
        ControlFlow control = control_flow(flow_, registers);
        for (size_t i = 0; i < flow_.size(); ++i) result_.ops[i].reconverge = control.reconverge[i];
        for (uint32_t r : control.live_at_entry) {
            if (r < kernel_.predicates)
                result_.zeroed.push_back({predicates_ + r * kPredicateRow, kPredicateRow});
            else if ((r -= kernel_.predicates) < kernel_.words)
                result_.zeroed.push_back({words_ + r * kWordRow, kWordRow});
            else
                result_.zeroed.push_back({wides_ + (r - kernel_.words) * kWideRow, kWideRow});
        }
    }

    [[noreturn]] void unknown() const {
        const ptx::Position& at = now_->position;
        std::string where;
        if (at.line > 0 && static_cast<size_t>(at.file) < kernel_.files.size())
            where =
                kernel_.files[static_cast<size_t>(at.file)] + ":" + std::to_string(at.line) + ": ";
        throw Error(Status::bad_input,
                    where + "the kernel compiles to an instruction that cannot be interpreted: " +
                        now_->text + " (PTX line " + std::to_string(now_->ptx_line) + ")");
    }

    const ptx::Kernel& kernel_;
    DecodedKernel result_;
    std::vector<FlowInstruction> flow_;
    std::map<std::pair<uint64_t, bool>, uint32_t> constant_rows_;
    uint32_t next_row_ = 0;
    uint32_t always_, spare_predicate_, predicates_, spare_word_, spare_wide_, words_, wides_;
    uint32_t at_ = 0;
    const ptx::Instruction* now_ = nullptr;
    Op op_;
};

}  // namespace

DecodedKernel decode(const ptx::Kernel& kernel) { return Decoder(kernel).run(); }

}  // namespace lanewise
