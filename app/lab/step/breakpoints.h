// Where a run is to stop: at a line, perhaps only for a block, a warp or a lane, and only where a
// condition holds in some lane. As many as anybody wants.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/step/lane_expression.h"

namespace lanewise {

struct Breakpoint {
    int number = 0;  // from 1
    int line = 0;
    std::optional<uint32_t> block, warp, lane;        // block: its number in the grid
    std::shared_ptr<const LaneExpression> condition;  // null: always
    uint64_t hits = 0;                                // so often it has stopped somebody
    bool has_complained = false;   // said already that its condition cannot be told
    std::string in_words() const;  // "line 17 if row == 31, block 2"
};

class Breakpoints {
  public:
    int add(Breakpoint breakpoint);  // its number
    bool remove(int number);
    void count_hit(int number) { ++by_number_.at(number).hits; }
    void clear();
    size_t count() const { return by_number_.size(); }
    std::vector<Breakpoint> all() const;
    bool any_at(int line) const { return by_line_.count(line) > 0; }
    // Those at the line, in the order of their numbers.
    std::vector<Breakpoint*> at(int line);
    std::vector<int> lines() const;

  private:
    std::map<int, Breakpoint> by_number_;
    std::map<int, std::vector<int>> by_line_;
    int next_ = 1;
};

}  // namespace lanewise
