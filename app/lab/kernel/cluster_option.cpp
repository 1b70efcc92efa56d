#include "lab/kernel/cluster_option.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

std::string prefix() { return std::string(ptx::kClusterName) + "="; }

ptx::BlockLimit sides_of(std::string_view text) {
    std::array<int64_t, 3> sides = {1, 1, 1};
    size_t count = 0;
    bool is_right = true;
    for (std::string_view side : split(text, ',')) {
        is_right = is_right && count < sides.size() &&
                   parse_integer(trimmed(side), sides[std::min<size_t>(count, 2)]);
        ++count;
    }
    for (int64_t side : sides) is_right = is_right && side >= 1 && side <= ptx::kMostCluster;
    if (!is_right || sides[0] * sides[1] * sides[2] > ptx::kMostCluster)
        throw Error(
            Status::bad_input,
            fmt::format("--cluster {}: a cluster is X[,Y[,Z]] blocks, 1 to {} in all, and on "
                        "some cards {}",
                        text, ptx::kMostPortableCluster, ptx::kMostCluster));
    return {static_cast<uint32_t>(sides[0]), static_cast<uint32_t>(sides[1]),
            static_cast<uint32_t>(sides[2])};
}

std::string text(const ptx::BlockLimit& size) {
    return fmt::format("{},{},{}", size.x, size.y, size.z);
}

}  // namespace

std::string cluster_variable(const std::string& sides) { return prefix() + text(sides_of(sides)); }

bool is_cluster_variable(const std::string& variable) { return variable.starts_with(prefix()); }

std::optional<ptx::BlockLimit> cluster_given(const OwnLaunch& own) {
    for (const std::string& variable : own.variables)
        if (is_cluster_variable(variable)) return sides_of(variable.substr(prefix().size()));
    return std::nullopt;
}

void take_cluster(const OwnLaunch& own, ptx::Kernel& kernel) {
    const std::optional<ptx::BlockLimit> given = cluster_given(own);
    if (!given) return;
    ptx::ClusterSize size = ptx::cluster_size(kernel);
    if (size.blocks.x != 0 && text(size.blocks) != text(*given))
        throw Error(
            Status::bad_input,
            fmt::format("--cluster {}: the kernel itself says {} (__cluster_dims__); leave the "
                        "option out",
                        text(*given), text(size.blocks)));
    size.blocks = *given;
    ptx::set_cluster_size(kernel, size);
}

}  // namespace lanewise
