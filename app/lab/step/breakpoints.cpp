#include "lab/step/breakpoints.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise {

std::string Breakpoint::in_words() const {
    std::string words = fmt::format("line {}", line);
    if (condition) words += " if " + condition->text();
    if (block) words += fmt::format(", block {}", *block);
    if (warp) words += fmt::format(", warp {}", *warp);
    if (lane) words += fmt::format(", lane {}", *lane);
    return words;
}

int Breakpoints::add(Breakpoint breakpoint) {
    breakpoint.number = next_++;
    by_line_[breakpoint.line].push_back(breakpoint.number);
    int number = breakpoint.number;
    by_number_.emplace(number, std::move(breakpoint));
    return number;
}

bool Breakpoints::remove(int number) {
    auto found = by_number_.find(number);
    if (found == by_number_.end()) return false;
    auto line = by_line_.find(found->second.line);
    std::erase(line->second, number);
    if (line->second.empty()) by_line_.erase(line);
    by_number_.erase(found);
    return true;
}

void Breakpoints::clear() {
    by_number_.clear();
    by_line_.clear();
}

std::vector<Breakpoint> Breakpoints::all() const {
    std::vector<Breakpoint> all;
    for (const auto& [number, each] : by_number_) all.push_back(each);
    return all;
}

std::vector<Breakpoint*> Breakpoints::at(int line) {
    std::vector<Breakpoint*> found;
    auto numbers = by_line_.find(line);
    if (numbers == by_line_.end()) return found;
    for (int number : numbers->second) found.push_back(&by_number_.at(number));
    return found;
}

std::vector<int> Breakpoints::lines() const {
    std::vector<int> lines;
    for (const auto& [line, numbers] : by_line_) lines.push_back(line);
    return lines;
}

}  // namespace lanewise
