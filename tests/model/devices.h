// The profiles and calibrations that ship.
#pragma once
#include <filesystem>

namespace lanewise {

inline const std::filesystem::path kDevices = CONTENT_FOLDER "/assets/devices";

}  // namespace lanewise
