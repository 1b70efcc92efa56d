// bench --set: the launches that the model of time is judged by, on the card.
#pragma once
#include <filesystem>
#include <string>

namespace lanewise {

// Times each launch of a half of the set and reads its counters; writes `file` after each of them,
// so that what was measured stays if a later one fails. Returns the exit status: 1 where one could
// not be measured. Throws Error(needs_gpu), and Error(bad_input) for a file that cannot be written.
int record_set(const std::string& half, const std::filesystem::path& file, bool counted);

}  // namespace lanewise
