// How much of the processors a student's engines have used lately, and how far they give way for it: who has used little
// comes first, so that a picture need not wait for somebody's endless kernel. One for each student, for all its engines
// and those that ended, so that starting anew cools nobody.
#pragma once

namespace lanewise {

class Heat {
  public:
    // Times are seconds of one steady clock.
    void add(double cpu_s, double now_s);
    // Processor seconds; what was used kHalfLife_s ago counts half.
    double at(double now_s) const;
    // 0, or how nice its processes are to be (nice(1)): kWarm beyond `limit_s`, kHot beyond four times that. One that
    // gives way does so until it has half the limit.
    int nice(double limit_s, double now_s);
    // How long its next engine is to wait for its start; at most kLongestWait_s.
    double start_wait_s(double limit_s, double now_s) const;

    static constexpr double kHalfLife_s = 20;
    static constexpr double kStart_s = 0.5;  // what an engine's start counts as, the short ones that nobody sees included
    static constexpr double kLongestWait_s = 5;
    static constexpr int kWarm = 10, kHot = 19;

  private:
    double heat_s_ = 0, since_s_ = 0;
    bool gives_way_ = false;
};

}  // namespace lanewise
