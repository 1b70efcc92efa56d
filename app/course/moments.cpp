#include "course/moments.h"

#include <algorithm>

namespace lanewise {
namespace {

struct Kind {
    const char* name;
    bool (*fits)(const LifeStep&);
};
bool is_mark(const LifeStep& step, TracedMark::Kind kind) {
    return step.access < 0 && step.moment == Moment::other && step.mark == kind;
}
constexpr Kind kKinds[] = {
    {"load", [](const LifeStep& s) { return s.moment == Moment::load; }},
    {"tile store", [](const LifeStep& s) { return s.moment == Moment::shared_store; }},
    {"barrier", [](const LifeStep& s) { return s.moment == Moment::barrier; }},
    {"tile read", [](const LifeStep& s) { return s.moment == Moment::shared_load; }},
    {"store", [](const LifeStep& s) { return s.moment == Moment::store; }},
    {"copy",
     [](const LifeStep& s) {
         return is_mark(s, TracedMark::Kind::bulk_copy) || is_mark(s, TracedMark::Kind::async_copy);
     }},
    {"copy done", [](const LifeStep& s) { return is_mark(s, TracedMark::Kind::copy_done); }},
    {"matrix load", [](const LifeStep& s) { return is_mark(s, TracedMark::Kind::matrix); }},
};

}  // namespace

std::vector<std::string> moment_kinds() {
    std::vector<std::string> names;
    for (const Kind& kind : kKinds) names.push_back(kind.name);
    return names;
}

std::vector<int> moments_of(const std::vector<LifeStep>& life,
                            const std::vector<std::string>& kinds) {
    std::vector<int> moments;
    for (size_t i = 0; i < life.size(); ++i)
        for (const Kind& kind : kKinds)
            if (kind.fits(life[i]) &&
                std::find(kinds.begin(), kinds.end(), kind.name) != kinds.end())
                moments.push_back(static_cast<int>(i));
    return moments;
}

int moment_at(const std::vector<int>& moments, int step) {
    auto behind = std::upper_bound(moments.begin(), moments.end(), step);
    return std::max(0, static_cast<int>(behind - moments.begin()) - 1);
}

}  // namespace lanewise
