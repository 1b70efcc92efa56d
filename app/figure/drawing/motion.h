// What lies between two drawings of one figure: marks that both have move from their old place to
// the new one, what only one has fades, and what is the same in both stands still.
#pragma once
#include <cstdint>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

// How long a change of a knob moves: quick enough to wait for, slow enough to follow.
inline constexpr double kMotionSeconds = 0.26;
// From 0 to 1, quick at first and gentle at the end (a cubic ease-out); clamped.
float eased(double part);

class Motion {
  public:
    // Which shapes belong together is found once. Both drawings must outlive this.
    Motion(const Drawing& from, const Drawing& to);
    // Whether any mark lies in another place: else there is nothing to show between the two.
    bool moves() const { return moves_; }
    // 0: as the first was; 1: as the second is. Its size and its hits are the second's.
    Drawing at(float part) const;

    // The same, for who lets the way be drawn by somebody else (moving_svg.h): what stands still,
    // what only fades, and the boxes and texts that are elsewhere.
    struct Moved {
        Shape before, after;
    };
    struct Parts {
        Drawing still, leaving, entering;
        std::vector<Moved> moved;
    };
    Parts parts() const;

  private:
    const Drawing& from_;
    const Drawing& to_;
    std::vector<size_t> leaving_;   // into from_.shapes
    std::vector<int64_t> from_of_;  // by shape of to_: where it comes from; -1: it fades in
    bool moves_ = false;
};

}  // namespace lanewise
