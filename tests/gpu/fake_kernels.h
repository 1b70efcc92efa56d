// The kernels that the fake GPU can run, as C++ on its "device" memory.
#pragma once
#include <cstddef>
#include <string>

// Runs `entry` (a mangled name) once with these packed arguments. Returns the bytes that it moved,
// which set its time; 0 for a kernel that takes no time.
double run_fake_kernel(const std::string& entry, const unsigned char* arguments, size_t size);

// Misbehaves where the name says so (fake_hostile.cpp). Returns the code that every later call into
// the driver returns, 0 where nothing broke.
int run_hostile_kernel(const std::string& entry);
