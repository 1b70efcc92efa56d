// Decodes loads, stores (9.7.9) and atomics (9.7.13).
#include "sim/decode/decoder.h"
#include "sim/operation/atomics.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

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
                                                 "L2::256B",
                                                 "L2::evict_first",
                                                 "L2::evict_last",
                                                 "L2::evict_normal",
                                                 "L2::cache_hint"};
    return is_one_of(part, hints);
}

bool is_space(std::string_view part) {
    // A cluster has one block here.
    static constexpr std::string_view spaces[] = {"global",          "shared",      "shared::cta",
                                                  "shared::cluster", "local",       "param",
                                                  "param::entry",    "param::func", "const"};
    return is_one_of(part, spaces);
}

// The type, length of the vector and hints of ld, ldu and st.
const TypeName& access_type(KernelDecoder& d) {
    const TypeName* type = nullptr;
    for (size_t i = 1; i < d.now().parts.size(); ++i) {
        std::string_view part = d.now().parts[i];
        if (part == "v2" || part == "v4" || part == "v8")
            d.op().elements = static_cast<uint8_t>(part[1] - '0');
        else if (part == "b128")  // two registers (ptx/)
            type = find_type("b64"), d.op().elements = 2;
        else if (find_type(part))
            type = find_type(part);
        else if (!is_space(part) && !is_cache_hint(part))
            d.unknown();
        static constexpr std::string_view seen[] = {"volatile", "relaxed", "acquire", "cv"};
        if (is_one_of(part, seen)) d.result().may_spin = true;
    }
    if (!type) d.unknown();
    d.op().bytes = type->bytes;
    // 32 bytes, from sm_100 on: 9.7.9.8, ".v8 .b32" and ".v4 .b64" of global memory
    int most = space_of(d.now()) == "global" ? 32 : 16;
    if (d.op().bytes * d.op().elements > most) d.unknown();
    return *type;
}

void load_parameter(KernelDecoder& d, const ptx::Operand& address, const TypeName& type,
                    bool wide) {
    Op& op = d.op();
    uint64_t end = address.value + uint64_t{op.bytes} * op.elements;
    if (op.is_store || address.has_base || address.space != ptx::SymbolSpace::parameter ||
        end > d.kernel().parameter_bytes || address.value > end)
        d.unknown();
    op.immediate = address.value;
    op.c_flip = type.type == Type::s8 || type.type == Type::s16 || type.type == Type::s32;
    op.execute = wide ? operations().load_parameter_wide : operations().load_parameter_word;
}

void access(KernelDecoder& d, bool store) {
    Op& op = d.op();
    op.is_store = store;
    const TypeName& type = access_type(d);
    if (d.operands() != (d.has("L2::cache_hint") ? 3u : 2u)) d.unknown();
    bool wide = d.elements(d.operand(store ? 1 : 0), store);
    const ptx::Operand& address = d.operand(store ? 0 : 1);
    if (address.kind != Kind::address) d.unknown();
    std::string_view space = space_of(d.now());
    // A parameter of a function lies in local memory (ptx/).
    if (space == "param" && address.space == ptx::SymbolSpace::local) space = "local";
    if (space == "param" && !address.has_base) return load_parameter(d, address, type, wide);
    d.address(address, space);
    if (space == "const" && op.has_base) op.operand_rule = op.wide_base ? OperandRule::wide_values : OperandRule::values;
    auto select = store ? operations().store : operations().load;
    op.execute = select(place_of(space), type.type, wide);
    if (!op.execute) d.unknown();
}

}  // namespace

// prefetch, discard, applypriority, createpolicy and the like change neither a value nor a count;
// brkpt and pmevent speak to tools. A policy is a number that nobody looks at.
void decode_hint(KernelDecoder& d) {
    d.op().execute = [](Warp&, const Op&) {};
    if (d.now().parts[0] != "createpolicy") return;
    d.op().a = d.constant(0, true);
    d.op().d = d.destination(d.operand(0), true);
    d.op().execute = operations().find("mov")->select(Type::u64, Type::u64);
}

void decode_load(KernelDecoder& d) { access(d, false); }
void decode_store(KernelDecoder& d) { access(d, true); }

namespace {

// atom.global.add.v2.f32 {d, …}, [a], {b, …}    red.global.add.noftz.v4.f16x2 [a], {b, …}
void vector_atomic(KernelDecoder& d, std::string_view name, const TypeName& type,
                   std::string_view vector) {
    Op& op = d.op();
    op.execute = find_vector_atomic(name, type.type);
    AtomicVector atomic;
    atomic.count = static_cast<uint32_t>(vector[1] - '0');
    size_t first = op.is_store ? 0 : 1;
    const auto& from = d.operand(first + 1).elements;
    if (!op.execute || atomic.count * type.bytes > 16 || from.size() != atomic.count ||
        (!op.is_store && d.operand(0).elements.size() != atomic.count))
        d.unknown();
    std::string_view space = space_of(d.now());
    d.address(d.operand(first), space);
    op.bytes = static_cast<uint8_t>(type.bytes * atomic.count);
    op.elements = static_cast<uint8_t>(place_of(space));
    for (size_t i = 0; i < atomic.count; ++i) {
        atomic.b[i] = d.source(from[i], false);
        atomic.d[i] = op.is_store ? d.spare(false) : d.destination(d.operand(0).elements[i], false);
    }
    atomic.displacement = op.immediate;
    op.immediate = reinterpret_cast<uint64_t>(&d.result().atomic_vectors.emplace_back(atomic));
}

}  // namespace

// atom.space.op.type d, [a], b, c    red.space.op.type [a], b
void decode_atomic(KernelDecoder& d) {
    std::string_view name, vector;
    const TypeName* type = nullptr;
    for (size_t i = 1; i < d.now().parts.size(); ++i) {
        std::string_view part = d.now().parts[i];
        if (find_type(part) && !type)
            type = find_type(part);
        else if (part == "v2" || part == "v4" || part == "v8")
            vector = part;
        else if (part == "acq_rel" || part == "noftz" || is_space(part) || is_cache_hint(part))
            continue;
        else if (name.empty())
            name = part;
        else
            d.unknown();
    }
    Op& op = d.op();
    op.is_store = d.now().parts[0] == "red";
    d.result().may_spin = true;
    size_t first = op.is_store ? 0 : 1, count = name == "cas" ? 2 : 1;
    size_t hints = d.has("L2::cache_hint") ? 1 : 0;
    if (!type || d.operands() != first + 1 + count + hints) d.unknown();
    if (!vector.empty()) return vector_atomic(d, name, *type, vector);
    op.execute = find_atomic(name, type->type);
    if (!op.execute) d.unknown();
    bool wide = type->bytes == 8;
    std::string_view space = space_of(d.now());
    d.address(d.operand(first), space);
    op.bytes = type->bytes;
    op.elements = static_cast<uint8_t>(place_of(space));
    op.b = op.c = d.source(d.operand(first + 1), wide);
    if (count == 2) op.c = d.source(d.operand(first + 2), wide);
    op.d = op.is_store ? d.spare(wide) : d.destination(d.operand(0), wide);
}

}  // namespace lanewise
