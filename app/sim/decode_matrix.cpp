// Decodes the warp's matrix instructions (9.7.14): ldmatrix, mma and wmma.
#include "sim/decoder.h"
#include "sim/matrix.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

void fragment(KernelDecoder& d, const ptx::Operand& operand, uint32_t (&rows)[8], size_t count,
              bool read, bool wide = false) {
    if (operand.kind != Kind::vector || operand.elements.size() != count) d.unknown();
    for (size_t i = 0; i < count; ++i)
        rows[i] =
            read ? d.source(operand.elements[i], wide) : d.destination(operand.elements[i], wide);
}

void product(KernelDecoder& d, MatrixRows& m, const std::vector<std::string_view>& types,
             bool whole) {
    if (whole && !d.has("mma")) d.unknown();
    std::string_view to = types.empty() ? "" : types.front(), c = types.empty() ? "" : types.back();
    std::string_view factor = "f16";
    if (types.size() == 4) factor = types[1] == types[2] ? types[1] : "";
    bool sums = (to == "f32" || to == "f16") && (c == "f32" || c == "f16");
    bool factors = factor == "f16" || factor == "bf16";
    // A wmma.mma's col.row and the like concern the loads, which have put each element in place.
    bool layout = whole || (d.has("row") && d.has("col"));
    if ((types.size() != 2 && types.size() != 4) || !sums || !factors || !layout ||
        d.operands() != 4)
        d.unknown();
    m.half_d = to == "f16";
    m.half_c = c == "f16";
    m.brain = factor == "bf16";
    size_t sum = whole ? 8 : 4, part = static_cast<size_t>(m.depth) / 8;
    fragment(d, d.operand(0), m.d, m.half_d ? sum / 2 : sum, false);
    fragment(d, d.operand(1), m.a, whole && !m.brain ? 8 : 2 * part, true);
    fragment(d, d.operand(2), m.b, whole ? (m.brain ? 4 : 8) : part, true);
    fragment(d, d.operand(3), m.c, m.half_c ? sum / 2 : sum, true);
    d.op().execute = run_mma;
}

// mma of types other than f16 and bf16: .d.a.b.c, one row for each shape
struct OtherProduct {
    std::string_view shape, d, a, b;
    int depth, of_a, of_b, of_c;  // registers
    Execute execute;
};
constexpr OtherProduct kOtherProducts[] = {
    {"m16n8k4", "f32", "tf32", "tf32", 4, 2, 1, 4, run_mma_tf32},
    {"m16n8k8", "f32", "tf32", "tf32", 8, 4, 2, 4, run_mma_tf32},
    {"m16n8k16", "s32", "s8", "s8", 16, 2, 1, 4, run_mma_bytes},
    {"m16n8k32", "s32", "s8", "s8", 32, 4, 2, 4, run_mma_bytes},
    {"m8n8k4", "f64", "f64", "f64", 4, 1, 1, 2, run_mma_f64},
};
bool other_product(KernelDecoder& d, MatrixRows& m, const std::vector<std::string_view>& types) {
    auto signed_form = [](std::string_view type) { return type == "u8" ? "s8" : type; };
    for (const OtherProduct& row : kOtherProducts) {
        if (types.size() != 4 || !d.has(row.shape) || types[0] != row.d || types[3] != row.d ||
            signed_form(types[1]) != row.a || signed_form(types[2]) != row.b)
            continue;
        if (!d.has("row") || !d.has("col") || d.operands() != 4) d.unknown();
        bool wide = row.d == "f64";
        m.depth = row.depth;
        m.factor = types[1] == "u8" ? Type::u8 : Type::s8;
        m.unsigned_b = types[2] == "u8";
        m.saturates = d.has("satfinite");
        fragment(d, d.operand(0), m.d, static_cast<size_t>(row.of_c), false, wide);
        fragment(d, d.operand(1), m.a, static_cast<size_t>(row.of_a), true, wide);
        fragment(d, d.operand(2), m.b, static_cast<size_t>(row.of_b), true, wide);
        fragment(d, d.operand(3), m.c, static_cast<size_t>(row.of_c), true, wide);
        d.op().execute = row.execute;
        return true;
    }
    return false;
}

void fragment_access(KernelDecoder& d, MatrixRows& m, const std::vector<std::string_view>& types,
                     bool store) {
    bool single = d.has("f32");
    m.matrix = d.has("a") ? 'a' : d.has("b") ? 'b' : 'c';
    bool known = types.size() == 1 && (single || d.has("f16")) && (m.matrix == 'c' || !single);
    const ptx::Operand& address = d.operand(store ? 0 : 1);
    if (!known || d.operands() != 3) d.unknown();
    m.half_c = !single;
    m.column_major = d.has("col");
    std::string_view space = space_of(d.now());
    m.where = place_of(space);
    d.address(address, space);
    m.address = d.op().has_base ? d.op().a : d.constant(0, true);
    m.wide_address = !d.op().has_base || d.op().wide_base;
    m.displacement = address.value;
    m.stride = d.source(d.operand(2), false);
    size_t count = m.matrix == 'c' && m.half_c ? 4 : 8;
    fragment(d, d.operand(store ? 1 : 0), store ? m.c : m.d, count, store);
    d.op().is_store = store;
    d.op().execute = store ? run_wmma_store : run_wmma_load;
}

}  // namespace

// ldmatrix.sync.aligned.m8n8.x4[.trans].shared.b16 {d, …}, [a]    stmatrix … [a], {b, …}
void decode_matrix_access(KernelDecoder& d) {
    Op& op = d.op();
    op.is_store = d.now().parts[0] == "stmatrix";
    op.elements = d.has("x4") ? 4 : d.has("x2") ? 2 : 1;
    if (!d.has("m8n8") || !d.has("b16") || d.operands() != 2) d.unknown();
    op.bytes = 4;  // for elements()
    d.elements(d.operand(op.is_store ? 1 : 0), op.is_store);
    std::string_view space = space_of(d.now());
    d.address(d.operand(op.is_store ? 0 : 1), space);
    op.bytes = static_cast<uint8_t>(place_of(space));
    op.c_flip = d.has("trans");
    op.execute = op.is_store ? run_stmatrix : run_ldmatrix;
}

// movmatrix.sync.aligned.m8n8.trans.b16 d, a
void decode_matrix_move(KernelDecoder& d) {
    if (!d.has("m8n8") || !d.has("trans") || !d.has("b16") || d.operands() != 2) d.unknown();
    d.op().a = d.source(d.operand(1), false);
    d.op().d = d.destination(d.operand(0), false);
    d.op().execute = run_movmatrix;
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 and wmma.{mma, load, store} of m16n16k16
void decode_matrix(KernelDecoder& d) {
    const auto& parts = d.now().parts;
    bool whole = parts[0] == "wmma";
    MatrixRows m;
    std::vector<std::string_view> types;
    for (size_t i = 1; i < parts.size(); ++i)
        if (find_type(parts[i])) types.push_back(parts[i]);
    m.columns = whole ? 16 : 8;
    m.depth = !whole && d.has("m16n8k8") ? 8 : 16;
    bool other = !whole && other_product(d, m, types);
    if (!other && !d.has(whole ? "m16n16k16" : m.depth == 8 ? "m16n8k8" : "m16n8k16")) d.unknown();
    if (whole && d.has("load"))
        fragment_access(d, m, types, false);
    else if (whole && d.has("store"))
        fragment_access(d, m, types, true);
    else if (!other)
        product(d, m, types, whole);
    d.op().immediate = reinterpret_cast<uint64_t>(&d.result().matrices.emplace_back(m));
}

}  // namespace lanewise
