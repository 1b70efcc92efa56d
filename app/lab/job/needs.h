// What some stages need of a machine beyond a GPU and a compiler: a library, a newer card, headers.
#pragma once
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "course/stage.h"

namespace lanewise {

// Why this machine's GPU cannot launch the stage, in one sentence with what to do; "" where it can,
// and where there is no GPU at all.
std::string cannot_launch(const Stage& stage);

// Why it cannot be interpreted here: a library's call, or there is no compiler for it, or its
// headers are missing; "" where it can, with its default knobs, for a card of `arch` ("":
// default_arch()).
std::string cannot_interpret(const Stage& stage, const std::string& type = "",
                             const std::string& arch = "");

// How the stage is compiled for these values where `arch` is wanted, or is a card's: what needs
// sm_90a is compiled for that, though the card itself says sm_90.
CompileOptions compile_options(const Stage& stage, const KnobValues& knobs, const std::string& type,
                               const std::string& arch);

// The folder of the CUDA toolkit's libraries; "" where there is none.
std::string toolkit_library_folder();

}  // namespace lanewise
