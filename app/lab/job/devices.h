// Which card the modelled figures are for: the one that LANEWISE_CARD names, else the one present, else an H200.
#pragma once
#include <string>

#include "model/device_profile.h"

namespace lanewise {

// The profile that LANEWISE_CARD names; else that of the GPU present, by name, or made from what its driver
// says; without a GPU the H200's. Throws Error(bad_input) where the profiles cannot be read, or where
// LANEWISE_CARD names none of them.
const DeviceProfile& device_in_use();

// What to compile for where nobody says: the GPU's own architecture, else "sm_90".
std::string default_arch();

// Bytes of memory that this process may still use, or 0 where the system does not say.
uint64_t available_memory_bytes();

}  // namespace lanewise
