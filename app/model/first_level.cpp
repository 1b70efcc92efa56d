#include "model/first_level.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanewise {

static constexpr double kBytesOfALine = 128;
// What stays beside a stream of 1 MB: 128 KB of 224, 60 of 124, 29 of 92, 6 of 60, nothing of 28.
static constexpr double kShareAgain = 0.75, kOnceAtLeast = 48 * 1024;

FirstLevel::FirstLevel(double bytes)
    : lines_(static_cast<size_t>(std::max(0.0, bytes / kBytesOfALine))),
      most_again_(static_cast<size_t>(std::max(0.0, kShareAgain * (bytes - kOnceAtLeast) / kBytesOfALine))) {}

double FirstLevel::find(uint64_t sector) {
    auto found = held_.find(sector / 4);
    if (found == held_.end()) return -1;
    const double when = found->second.when[sector % 4];
    if (when >= 0) touch_again(sector / 4, found->second);
    return when;
}

void FirstLevel::put(uint64_t sector, double when) {
    if (lines_ == 0) return;
    const uint64_t number = sector / 4;
    auto [place, is_new] = held_.try_emplace(number);
    Line& line = place->second;
    if (when >= 0) line.when[sector % 4] = when;
    if (!is_new) return touch_again(number, line);
    last_ = number;
    once_.push_front(number);
    line.place = once_.begin();
    if (held_.size() <= lines_) return;
    std::list<uint64_t>& from = once_.size() > 1 || again_.empty() ? once_ : again_;
    held_.erase(from.back());
    from.pop_back();
}

void FirstLevel::touch_again(uint64_t number, Line& line) {
    if (std::exchange(last_, number) == number) return;
    again_.splice(again_.begin(), line.is_again ? again_ : once_, line.place);
    line.is_again = true;
    if (again_.size() <= most_again_) return;
    const auto last = std::prev(again_.end());
    held_.at(*last).is_again = false;
    once_.splice(once_.begin(), again_, last);
}

}  // namespace lanewise
