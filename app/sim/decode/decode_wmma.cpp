// Decodes wmma.load, wmma.mma and wmma.store (9.7.14.4).
#include "sim/decode/decoder.h"
#include "sim/matrix/product.h"
#include "sim/matrix/wmma.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

struct Shape {
    std::string_view name;
    int m, n, k;
};
constexpr Shape kShapes[] = {{"m16n16k16", 16, 16, 16},
                             {"m32n8k16", 32, 8, 16},
                             {"m8n32k16", 8, 32, 16},
                             {"m16n16k8", 16, 16, 8},
                             {"m8n8k4", 8, 8, 4}};

// Which types of factors go with which shapes and sums (table 41 of the manual).
struct Factor {
    std::string_view name;
    Type type;
    uint32_t bytes;
    int depth;
    std::string_view sum;  // "" for f16 or f32
};
constexpr Factor kFactors[] = {
    {"f16", Type::f16, 2, 16, ""},     {"bf16", Type::bf16, 2, 16, "f32"},
    {"tf32", Type::tf32, 4, 8, "f32"}, {"f64", Type::f64, 8, 4, "f64"},
    {"s8", Type::s8, 1, 16, "s32"},    {"u8", Type::u8, 1, 16, "s32"},
};
struct Sum {
    std::string_view name;
    Type type;
    uint32_t bytes;
};
constexpr Sum kSums[] = {
    {"f32", Type::f32, 4}, {"f16", Type::f16, 2}, {"s32", Type::s32, 4}, {"f64", Type::f64, 8}};

template <size_t n, class Row>
const Row& row_named(KernelDecoder& d, const Row (&rows)[n], std::string_view name) {
    for (const Row& row : rows)
        if (row.name == name) return row;
    d.unknown();
}

const Shape& shape_of(KernelDecoder& d) {
    for (const Shape& shape : kShapes)
        if (d.has(shape.name)) return shape;
    d.unknown();
}

Fragment fragment(KernelDecoder& d, const Shape& shape, char matrix, std::string_view type) {
    Fragment f;
    f.matrix = matrix;
    bool is_sum = matrix == 'c';
    if (is_sum) {
        const Sum& sum = row_named(d, kSums, type);
        f.type = sum.type;
        f.bytes = sum.bytes;
    } else {
        const Factor& factor = row_named(d, kFactors, type);
        if (factor.depth != shape.k) d.unknown();
        f.type = factor.type;
        f.bytes = factor.bytes;
    }
    f.lines = matrix == 'b' ? shape.n : shape.m;
    f.length = is_sum ? shape.n : shape.k;
    f.per_register = f.bytes < 4 ? static_cast<int>(4 / f.bytes) : 1;
    f.distinct = f.lines * f.length / kLanes / f.per_register;
    f.registers = f.type == Type::f16 && !is_sum ? 8 : f.distinct;
    return f;
}

void registers(KernelDecoder& d, const ptx::Operand& operand, Fragment& f, bool read) {
    std::vector<ptx::Operand> list = {operand};
    if (operand.kind == Kind::vector) list = operand.elements;
    if (list.size() != static_cast<size_t>(f.registers)) d.unknown();
    for (size_t i = 0; i < list.size(); ++i)
        f.rows[i] = read ? d.source(list[i], f.bytes == 8) : d.destination(list[i], f.bytes == 8);
}

// wmma.mma.sync.aligned.row.col.shape.dtype[.atype.btype].ctype d, a, b, c: halves are not named.
void product(KernelDecoder& d, WmmaRows& m, const Shape& shape,
             const std::vector<std::string_view>& types) {
    bool named = types.size() == 4;
    if ((types.size() != 2 && !named) || d.operands() != 4) d.unknown();
    std::string_view a = named ? types[1] : "f16", b = named ? types[2] : "f16";
    const Factor& factor = row_named(d, kFactors, a);
    bool sums = factor.sum.empty() ? (types.front() == "f16" || types.front() == "f32") &&
                                         (types.back() == "f16" || types.back() == "f32")
                                   : types.front() == factor.sum && types.back() == factor.sum;
    if (a != b || !sums) d.unknown();
    m.d = fragment(d, shape, 'c', types.front());
    m.a = fragment(d, shape, 'a', a);
    m.b = fragment(d, shape, 'b', b);
    m.c = fragment(d, shape, 'c', types.back());
    m.saturates = d.has("satfinite");
    registers(d, d.operand(0), m.d, false);
    registers(d, d.operand(1), m.a, true);
    registers(d, d.operand(2), m.b, true);
    registers(d, d.operand(3), m.c, true);
    d.op().execute = run_announced_wmma;
}

// wmma.load.a.sync.aligned.row.shape.space.type r, [p], stride    wmma.store.d… [p], r, stride
void access(KernelDecoder& d, WmmaRows& m, const Shape& shape,
            const std::vector<std::string_view>& types, bool store) {
    if (types.size() != 1 || d.operands() < 2 || d.operands() > 3) d.unknown();
    char matrix = d.has("a") ? 'a' : d.has("b") ? 'b' : 'c';
    if (!d.has(store ? "d" : std::string_view(&matrix, 1))) d.unknown();
    m.d = fragment(d, shape, matrix, types[0]);
    m.column_major = d.has("col");
    std::string_view space = space_of(d.now());
    const ptx::Operand& address = d.operand(store ? 0 : 1);
    m.where = place_of(space);
    d.address(address, space);
    m.address = d.op().has_base ? d.op().a : d.constant(0, true);
    m.wide_address = !d.op().has_base || d.op().wide_base;
    m.displacement = address.value;
    // Without a stride the matrix lies without gaps.
    bool by_lines = m.column_major == (matrix == 'b');
    int gapless = by_lines ? m.d.length : m.d.lines;
    m.stride = d.operands() == 3 ? d.source(d.operand(2), false)
                                 : d.constant(static_cast<uint64_t>(gapless), false);
    registers(d, d.operand(store ? 1 : 0), m.d, store);
    d.op().is_store = store;
    d.op().execute = store ? run_wmma_store : run_wmma_load;
}

}  // namespace

void decode_wmma(KernelDecoder& d) {
    std::vector<std::string_view> types;
    for (std::string_view part : d.now().parts)
        if (find_type(part)) types.push_back(part);
    const Shape& shape = shape_of(d);
    WmmaRows m;
    if (d.has("mma"))
        product(d, m, shape, types);
    else if (d.has("load") || d.has("store"))
        access(d, m, shape, types, d.has("store"));
    else
        d.unknown();
    d.op().immediate = reinterpret_cast<uint64_t>(&d.result().wmmas.emplace_back(m));
}

}  // namespace lanewise
