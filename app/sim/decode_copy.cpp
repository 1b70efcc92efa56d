// Decodes cp.async (9.7.9).
#include "sim/decoder.h"
#include "sim/matrix.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

// cp.async.cg.shared.global [d], [a], 16 [, read];    cp.async.commit_group and the waits
void decode_copy(Decoder& d) {
    Op& op = d.op();
    if (!d.has("async") || d.has("bulk") || d.has("mbarrier")) d.unknown();
    if (d.has("commit_group") || d.has("wait_group") || d.has("wait_all")) {
        op.execute = [](Warp&, const Op&) {};  // the copies are done already
        return;
    }
    if (d.operands() < 3 || d.operands() > 4 || d.operand(2).kind != Kind::immediate) d.unknown();
    uint64_t bytes = d.operand(2).value;
    if (bytes != 4 && bytes != 8 && bytes != 16) d.unknown();
    d.address(d.operand(0), "shared");
    op.b = op.a;
    op.targets = static_cast<uint32_t>(op.immediate);
    op.elements = !op.has_base ? 0 : op.wide_base ? 8 : 4;
    d.address(d.operand(1), "global");
    op.bytes = static_cast<uint8_t>(bytes);
    op.d2 = d.operands() == 4 ? d.source(d.operand(3), false) : d.constant(bytes, false);
    op.execute = run_cp_async;
}

}  // namespace lanewise
