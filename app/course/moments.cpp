#include "course/moments.h"

#include <algorithm>

namespace lanewise {
namespace {

using Life = std::vector<LifeStep>;

bool is_mark(const LifeStep& step, TracedMark::Kind kind) {
    return step.access < 0 && step.moment == Moment::other && step.mark == kind;
}

// Of a round of shuffles the last, and of the first round also the step before it: how it was, and
// how it is after each round.
bool is_exchange(const Life& life, size_t i) {
    const int round = life[i].round, next = i + 1 < life.size() ? life[i + 1].round : 0;
    return round > 0 ? round != next : next == 1;
}

struct MomentKind {
    const char* name;
    bool (*fits)(const Life&, size_t);
};
template <Moment moment>
bool is_of(const Life& life, size_t i) {
    return life[i].moment == moment;
}
constexpr MomentKind kKinds[] = {
    {"load", is_of<Moment::load>},
    {"tile store", is_of<Moment::shared_store>},
    {"barrier", is_of<Moment::barrier>},
    {"tile read", is_of<Moment::shared_load>},
    {"store", is_of<Moment::store>},
    {"copy",
     [](const Life& life, size_t i) {
         return is_mark(life[i], TracedMark::Kind::bulk_copy) ||
                is_mark(life[i], TracedMark::Kind::async_copy);
     }},
    {"copy done",
     [](const Life& life, size_t i) { return is_mark(life[i], TracedMark::Kind::copy_done); }},
    {"matrix load",
     [](const Life& life, size_t i) { return is_mark(life[i], TracedMark::Kind::matrix); }},
    {"shuffle",
     [](const Life& life, size_t i) { return is_mark(life[i], TracedMark::Kind::shuffle); }},
    {"exchange", is_exchange},
};

}  // namespace

std::vector<std::string> moment_kinds() {
    std::vector<std::string> names;
    for (const MomentKind& kind : kKinds) names.push_back(kind.name);
    return names;
}

std::vector<int> moments_of(const std::vector<LifeStep>& life,
                            const std::vector<std::string>& kinds) {
    std::vector<int> moments;
    for (size_t i = 0; i < life.size(); ++i)
        for (const MomentKind& kind : kKinds)
            if (kind.fits(life, i) &&
                std::find(kinds.begin(), kinds.end(), kind.name) != kinds.end())
                moments.push_back(static_cast<int>(i));
    return moments;
}

int moment_at(const std::vector<int>& moments, int step) {
    auto behind = std::upper_bound(moments.begin(), moments.end(), step);
    return std::max(0, static_cast<int>(behind - moments.begin()) - 1);
}

}  // namespace lanewise
