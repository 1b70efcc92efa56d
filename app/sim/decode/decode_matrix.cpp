// Decodes the warp's matrix instructions (9.7.14) but wmma: ldmatrix, stmatrix, movmatrix and mma.
#include "sim/decode/decoder.h"
#include "sim/matrix/matrix.h"
#include "sim/matrix/product.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

void fragment(KernelDecoder& d, const ptx::Operand& operand, uint32_t* rows, size_t count,
              bool read, bool wide = false) {
    if (operand.kind != Kind::vector || operand.elements.size() != count) d.unknown();
    for (size_t i = 0; i < count; ++i)
        rows[i] =
            read ? d.source(operand.elements[i], wide) : d.destination(operand.elements[i], wide);
}

void product(KernelDecoder& d, MatrixRows& m, const std::vector<std::string_view>& types) {
    bool named = types.size() == 4;
    std::string_view to = named ? types[0] : "", factor = named ? types[1] : "",
                     c = named ? types[3] : "";
    bool sums = (to == "f32" || to == "f16") && (c == "f32" || c == "f16");
    bool factors = (factor == "f16" || factor == "bf16") && factor == types[2];
    if (!sums || !factors || !d.has("row") || !d.has("col") || d.operands() != 4) d.unknown();
    m.half_d = to == "f16";
    m.half_c = c == "f16";
    m.brain = factor == "bf16";
    size_t part = static_cast<size_t>(m.depth) / 8;
    fragment(d, d.operand(0), m.d, m.half_d ? 2 : 4, false);
    fragment(d, d.operand(1), m.a, 2 * part, true);
    fragment(d, d.operand(2), m.b, part, true);
    fragment(d, d.operand(3), m.c, m.half_c ? 2 : 4, true);
    d.op().execute = run_announced_mma;
}

// mma of types other than f16 and bf16: .d.a.b.c, one row for each shape
struct OtherProduct {
    std::string_view shape, d, a, b;
    int depth, of_a, of_b, of_c;  // registers
    Execute execute;
};
constexpr OtherProduct kOtherProducts[] = {
    {"m16n8k4", "f32", "tf32", "tf32", 4, 2, 1, 4, run_announced_mma_tf32},
    {"m16n8k8", "f32", "tf32", "tf32", 8, 4, 2, 4, run_announced_mma_tf32},
    {"m8n8k16", "s32", "s8", "s8", 16, 1, 1, 2, run_mma_bytes},
    {"m16n8k16", "s32", "s8", "s8", 16, 2, 1, 4, run_mma_bytes},
    {"m16n8k32", "s32", "s8", "s8", 32, 4, 2, 4, run_mma_bytes},
    {"m16n8k16", "f32", "e4m3", "e4m3", 16, 2, 1, 4, run_mma_small_bytes},
    {"m16n8k32", "f32", "e4m3", "e4m3", 32, 4, 2, 4, run_mma_small_bytes},
    {"m8n8k4", "f64", "f64", "f64", 4, 1, 1, 2, run_mma_f64},
    {"m16n8k4", "f64", "f64", "f64", 4, 2, 1, 4, run_mma_f64},
    {"m16n8k8", "f64", "f64", "f64", 8, 4, 2, 4, run_mma_f64},
    {"m16n8k16", "f64", "f64", "f64", 16, 8, 4, 4, run_mma_f64},
};
bool other_product(KernelDecoder& d, MatrixRows& m, const std::vector<std::string_view>& types) {
    auto signed_form = [](std::string_view type) {
        return type == "u8" ? "s8" : type == "e5m2" ? "e4m3" : type;
    };
    auto byte = [](std::string_view type) {
        return type == "u8"     ? Type::u8
               : type == "e4m3" ? Type::e4m3x2
               : type == "e5m2" ? Type::e5m2x2
                                : Type::s8;
    };
    for (const OtherProduct& row : kOtherProducts) {
        if (types.size() != 4 || !d.has(row.shape) || types[0] != row.d || types[3] != row.d ||
            signed_form(types[1]) != row.a || signed_form(types[2]) != row.b)
            continue;
        if (!d.has("row") || !d.has("col") || d.operands() != 4) d.unknown();
        bool wide = row.d == "f64";
        m.lines = row.shape.starts_with("m8") ? 8 : 16;
        m.depth = row.depth;
        m.factor = byte(types[1]);
        m.factor_b = byte(types[2]);
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

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
void decode_mma(KernelDecoder& d) {
    MatrixRows m;
    std::vector<std::string_view> types;
    for (std::string_view part : d.now().parts)
        if (find_type(part) || part == "e4m3" || part == "e5m2") types.push_back(part);
    m.depth = d.has("m16n8k8") ? 8 : 16;
    if (!other_product(d, m, types)) {
        if (!d.has(m.depth == 8 ? "m16n8k8" : "m16n8k16")) d.unknown();
        product(d, m, types);
    }
    d.op().immediate = reinterpret_cast<uint64_t>(&d.result().matrices.emplace_back(m));
}

}  // namespace lanewise
