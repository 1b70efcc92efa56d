// How soon a student may have the GPU again. Who kept it long while others waited comes after a rest
// of twice that time, and whose kernel did not end rests longer each time, so that one student's
// endless kernels take a small part of everybody's card.
#pragma once
#include <chrono>
#include <filesystem>

#include "lab/job/measurement.h"

namespace lanewise {

inline constexpr auto kLookInterval = std::chrono::milliseconds(50);  // of one that waits for the GPU

// Kept in a file of the student's folder, which all engines of one student share, also the next ones:
// coming back anew shortens nothing. Where the file cannot be used there is no rest.
class GpuPace {
  public:
    explicit GpuPace(const std::filesystem::path& file);

    // How a turn went.
    struct Turn {
        double held_s = 0;
        bool given_up = false;     // a kernel did not end, or the turn's own time was over
        bool others_wait = false;  // when it ends
    };
    // The rest that follows on it, in seconds; misses: given_up so many times before, one after the
    // other.
    static double rest_s(const Turn& turn, int misses);

    // Of a turn that begins and of one that ends. A turn whose engine is gone before it ends, with its
    // connection, counts as one that was given up after kUnfinished_s.
    void begin();
    void end(const Turn& turn) const;
    double left_s() const;  // of the rest
    // Waits for the end of the rest; `progress` hears of it every second. Throws Cancelled once either
    // flag is set.
    void wait(const Progress& progress, const CancelFlag* cancel,
              const CancelFlag* given_up = nullptr) const;

    static constexpr double kShort_s = 2;       // a turn that nobody minds
    static constexpr double kUnfinished_s = 5;  // as a kernel that does not end is usually given
    static constexpr double kLongest_s = 300;   // a rest

  private:
    void keep(double until_s, int misses) const;
    std::filesystem::path file_;
    int misses_ = 0;  // before the turn that begin() began
};

}  // namespace lanewise
