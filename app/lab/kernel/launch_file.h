// A .launch file: the launches of a program in their order, in one memory, as TOML.
//
//   file = "cg.cu"               # beside the .launch file
//   include = ["include"]        # folders with headers
//   define = ["N=64"]
//
//   [buffers]                    # there before the first launch; as --arg has them
//   x = "f32[4096]=0"
//   p = "f32[4096]=-1..1"
//
//   [variables]                  # __constant__ and __device__, likewise
//   filter = "f32[25]=0.04"
//
//   [[launch]]
//   kernel = "axpy<float>"
//   grid = [16]                  # one to three sides
//   block = [256]
//   cluster = [2]                # blocks; of a kernel that does not say so itself
//   dynamic_shared = 0
//   args = ["p", "x+64", "f32:0.5", "i32:4096"]   # names of buffers, or what --arg takes
#pragma once
#include <filesystem>
#include <string>

#include "lab/job/job.h"

namespace lanewise {

bool is_launch_file(const std::string& name);  // "….launch"

// The last launch, with those before it in OwnLaunch::before. Throws Error(bad_input) that names file,
// line and key.
Job read_launch_file(const std::filesystem::path& file);

// As read_launch_file() takes it. source: as the file is to name it.
std::string launch_file_text(const OwnLaunch& last, const std::string& source);

}  // namespace lanewise
