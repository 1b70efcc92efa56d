// How much may come: so much at once, and so much in a second from then on.
#pragma once
#include <algorithm>

namespace lanewise {

// Times are seconds of any clock that does not go back.
class RateLimit {
  public:
    RateLimit(double per_second, double at_once)
        : per_second_(per_second), most_(at_once), left_(at_once) {}

    // Takes so much; how long the next must wait until there is room: 0 mostly. More than fits at
    // once is taken all the same, and is waited for.
    double take(double amount, double now_s) {
        if (last_s_ < 0) last_s_ = now_s;
        left_ = std::min(most_, left_ + per_second_ * (now_s - last_s_)) - amount;
        last_s_ = now_s;
        return left_ >= 0 ? 0 : -left_ / per_second_;
    }

  private:
    double per_second_, most_, left_, last_s_ = -1;
};

}  // namespace lanewise
