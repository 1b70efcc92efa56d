// Our device headers (assets/device), precompiled: clang's front end begins with them at every compilation,
// and takes twice as long where it has to read them as text.
#pragma once
#include <string>
#include <vector>

#include "compile/clang_search.h"

namespace lanewise {

// The file for -include-pch: in the cache, one for each architecture, standard and clang, made where it is
// missing or where `anew` says that clang did not take the one that is there. Empty where none can be had:
// the cache cannot be written to, clang refuses, or one of `defines` ("NAME" or "NAME=TEXT") changes a word
// of the headers themselves. `options`: what clang is told of the language and the machine, and where the
// headers are. Safe to call from several threads.
std::string precompiled_device_headers(const Clang& clang, const std::vector<std::string>& options,
                                       const std::vector<std::string>& defines, bool anew = false);

// Whether that is what clang says of a precompiled file that it does not take.
bool refuses_precompiled(const std::string& said);

}  // namespace lanewise
