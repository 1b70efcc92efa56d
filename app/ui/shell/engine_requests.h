// What the window asks the engine for.
#pragma once
#include "ui/state/requests.h"

namespace lanewise::ui {

std::span<const EngineRequest> engine_requests();

}  // namespace lanewise::ui
