// A launch of a kernel from outside the catalogue on the card: its buffers there, and its arguments
// with their addresses.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "lab/machine/prepared.h"
#include "lab/measure/own_run.h"

namespace lanewise {

// Throws as Gpu does. `untouched` holds what the buffers are filled with, and must outlive this.
class OwnCard {
  public:
    OwnCard(Gpu& gpu, const PreparedKernel& prepared, const StageLaunch& untouched);
    // A kernel whose blocks wait for each other is launched so that the card holds them all at once.
    void launch(const LaunchShape& shape);
    void fill();
    // Each buffer as the card has it now, against what the machine left in its own.
    std::vector<BufferDifference> differences(const StageLaunch& interpreted);

  private:
    // A texture or a surface: the buffers that hold its description and its elements.
    struct CardTexture {
        size_t object, elements;
        Texture texture;
        GpuTexture made;
    };
    void make_textures();
    // What the card has in place of an address of the machine.
    uint64_t address_of(const StageLaunch::PlacedAddress& placed) const;
    bool holds_places(size_t home) const;
    // Writes the card's addresses and maps where `home` has the machine's.
    void place(std::span<std::byte> bytes, size_t home, bool in_variable);
    // The module's variables that the user has set; its own initial values the driver has loaded.
    void fill_variables();
    // And back, where the kernel has left them alone: they are no difference.
    void take_back(std::span<std::byte> bytes, size_t home);
    TensorMapBytes on_the_card(const StageLaunch::PlacedMap& placed);

    Gpu& gpu_;
    GpuModule kernel_;
    const std::vector<ptx::ModuleVariable>& variables_;
    const StageLaunch& untouched_;
    const bool waits_for_grid_;
    const ptx::BlockLimit cluster_;  // x is 0 where there is none
    std::vector<GpuBuffer> buffers_;
    std::vector<CardTexture> textures_;
    std::vector<std::byte> arguments_;
    std::vector<size_t> offsets_;  // of the parameters, where the launch needs them
};

}  // namespace lanewise
