// Decodes wgmma.mma_async of f16 and bf16 (9.7.15) and the instructions that wait for it.
#include "base/text.h"
#include "sim/async/wgmma.h"
#include "sim/decode/decoder.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

// 256 of "m64n256k16"; unknown() where the shape is another.
int columns_of(KernelDecoder& d) {
    for (std::string_view part : d.now().parts) {
        if (!part.starts_with("m64n") || !part.ends_with("k16")) continue;
        int64_t columns = 0;
        bool is_number = parse_integer(part.substr(4, part.size() - 7), columns);
        if (is_number && columns >= 8 && columns <= 256 && columns % 8 == 0)
            return static_cast<int>(columns);
    }
    d.unknown();
}

// A number that says whether, at operand `i`: 1, or -1 for a sign.
int64_t number_at(KernelDecoder& d, size_t i) {
    if (i >= d.operands()) return 0;
    if (d.operand(i).kind != Kind::immediate) d.unknown();
    return static_cast<int64_t>(d.operand(i).value);
}

// wgmma.mma_async.sync.aligned.m64nNk16.dtype.atype.btype d, a, b, adds, sign_a, sign_b {,
// turned_a}
// {, turned_b}
void product(KernelDecoder& d) {
    WgmmaRows m;
    m.columns = columns_of(d);
    std::vector<std::string_view> types;
    for (std::string_view part : d.now().parts)
        if (find_type(part)) types.push_back(part);
    bool sums = types.size() == 3 && (types[0] == "f32" || types[0] == "f16");
    bool factors = types.size() == 3 && (types[1] == "f16" || types[1] == "bf16");
    if (!sums || !factors || types[1] != types[2] || d.operands() < 7) d.unknown();
    m.half_d = types[0] == "f16";
    m.brain = types[1] == "bf16";
    const std::vector<ptx::Operand>& sum = d.operand(0).elements;
    if (sum.size() != static_cast<size_t>(m.columns / (m.half_d ? 4 : 2))) d.unknown();
    for (size_t i = 0; i < sum.size(); ++i) {
        d.source(sum[i], false);  // it is read, too
        m.d[i] = d.destination(sum[i], false);
    }
    m.a_in_registers = d.operand(1).kind == Kind::vector;
    if (m.a_in_registers) {
        if (d.operand(1).elements.size() != 4) d.unknown();
        for (size_t i = 0; i < 4; ++i) m.a[i] = d.source(d.operand(1).elements[i], false);
    } else {
        m.a[0] = d.source(d.operand(1), true);
    }
    m.b = d.source(d.operand(2), true);
    m.adds = d.predicate_source(d.operand(3), m.adds_flip);
    m.negates_a = number_at(d, 4) < 0;
    m.negates_b = number_at(d, 5) < 0;
    m.turned_a = !m.a_in_registers && number_at(d, 6) == 1;
    m.turned_b = number_at(d, m.a_in_registers ? 6 : 7) == 1;
    d.op().immediate = reinterpret_cast<uint64_t>(&d.result().wgmmas.emplace_back(m));
    d.op().execute = run_wgmma;
}

}  // namespace

// Besides the product: fence, commit_group and wait_group
void decode_wgmma(KernelDecoder& d) {
    if (d.has("mma_async")) return product(d);
    if (d.has("commit_group")) {
        d.op().execute = run_wgmma_commit;
    } else if (d.has("wait_group")) {
        d.op().targets = static_cast<uint32_t>(d.operand(0).value);
        d.op().execute = run_wgmma_wait;
    } else if (d.has("fence")) {
        d.op().execute = [](Warp&, const Op&) {};
    } else {
        d.unknown();
    }
}

}  // namespace lanewise
