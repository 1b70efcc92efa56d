// The engine's own methods, worked off in the test's process: the window's table of requests runs
// over them as it does over a pipe. There is no GPU.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>

#include "ui/state/requests.h"

namespace lanewise::ui {

struct LocalEngine {
    std::map<std::string, int> asked;             // how often, by method
    std::set<std::string> unanswered = {"pads"};  // as if a newer request had come instead
};

// `engine` outlives the link.
std::unique_ptr<EngineLink> link_to(LocalEngine& engine);

}  // namespace lanewise::ui
