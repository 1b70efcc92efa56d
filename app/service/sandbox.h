// A sandbox for workers, by bubblewrap where that is installed: the system read-only, a private
// /tmp, no network. What a kernel makes of the process that launches it stays inside.
#pragma once
#include <string>
#include <vector>

namespace lanewise {

// The words that start `command` in a sandbox that ends with whoever starts it. The GPU's device
// files can be used there, and the folders of the program, of its content and of the driver seen,
// wherever they lie. Throws Error(bad_input) where bwrap is not installed or makes no sandbox here.
// `readable`: further folders and files that it may read wherever they lie.
std::vector<std::string> in_sandbox(const std::vector<std::string>& command,
                                    const std::vector<std::string>& readable = {});

}  // namespace lanewise
