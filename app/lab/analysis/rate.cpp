#include "lab/analysis/rate.h"

#include <fmt/format.h>

#include "base/text.h"
#include "lab/product/product.h"

namespace lanewise {
namespace {

const Operation& operation_of(const std::string& stage, int64_t inner) {
    std::string folder = stage.substr(0, stage.find('/'));
    for (const Operation& operation : all_operations())
        if (operation.id == folder) return operation;
    for (const Operation& operation : all_operations())
        if (operation.has_inner() == (inner != kNoInner)) return operation;
    return all_operations().front();
}

bool counts_bytes(const Measurement& m) { return operation_of(m).rate == Operation::Rate::bytes; }

}  // namespace

const Operation& operation_of(const Measurement& m) { return operation_of(m.stage, m.inner); }
const Operation& operation_of(const Analysis& a) { return operation_of(a.stage, a.inner); }

double rate_of(const Measurement& m) { return counts_bytes(m) ? m.gb_per_s : gflop_per_s(m); }

double yardstick_rate_of(const Measurement& m) {
    return counts_bytes(m) ? m.yardstick.gb_per_s : library_gflop_per_s(m);
}

double datasheet_rate_of(const Measurement& m) {
    return counts_bytes(m) ? m.provenance.datasheet_gb_per_s : m.arithmetic.datasheet_gflop_per_s;
}

double rate_at(const Measurement& m, double gb_per_s) {
    if (counts_bytes(m)) return gb_per_s;
    return gb_per_s * flops_of(m.rows, m.cols, m.inner) /
           bytes_once(m.rows, m.cols, m.inner, element_bytes(m.type));
}

bool is_timed_alone(const Operation& operation, const Operation::Size& size) {
    return operation.rate == Operation::Rate::operations &&
           is_launch_bound(0, flops_of(size.rows, size.cols, size.inner));
}

std::string in_three_digits(double value) {
    if (value >= 100) return with_thousands(static_cast<uint64_t>(value + 0.5));
    return fmt::format("{:.3g}", value);
}

}  // namespace lanewise
