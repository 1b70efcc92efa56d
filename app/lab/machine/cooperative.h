// Launches whose blocks wait for each other (grid.sync()): what a card asks of them, and what is
// said of their counts.
#pragma once
#include <string>
#include <vector>

#include "lab/machine/prepared.h"

namespace lanewise {

// Throws Error(bad_input) where the kernel waits for its whole grid and the card in use does not
// hold that at once: cuLaunchCooperativeKernel would refuse it. And as check_clusters().
void check_cooperative(const PreparedKernel& prepared, const LaunchShape& launch);

// What a count of this kernel leaves out, in sentences: the turns in which a card's blocks wait,
// accesses to other blocks of a cluster, and those by textures and surfaces.
std::vector<std::string> notes_on_counts(const PreparedKernel& prepared);

}  // namespace lanewise
