#include "lab/measure/own_card.h"

#include <algorithm>
#include <cstring>

#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"

namespace lanewise {

OwnCard::OwnCard(Gpu& gpu, const PreparedKernel& prepared, const StageLaunch& untouched)
    : gpu_(gpu),
      kernel_(gpu.load(prepared.program.gpu_code(), prepared.program.entry)),
      variables_(prepared.kernel.variables),
      untouched_(untouched),
      waits_for_grid_(ptx::waits_for_grid(prepared.kernel)),
      cluster_(ptx::cluster_size(prepared.kernel).blocks) {
    auto packed = untouched.arguments();
    arguments_.assign(packed.begin(), packed.end());
    const auto& buffers = untouched.memory.buffers();
    for (const Memory::Buffer& buffer : buffers) buffers_.push_back(gpu.allocate(buffer.bytes));
    make_textures();
    place(arguments_, StageLaunch::kArguments, false);
    for (const ptx::Parameter& parameter : prepared.kernel.parameters)
        if (waits_for_grid_ || cluster_.x != 0 || !untouched.maps.empty())
            offsets_.push_back(parameter.offset);
}

void OwnCard::make_textures() {
    const auto& buffers = untouched_.memory.buffers();
    for (size_t i = 0; i < buffers.size(); ++i) {
        Texture texture;
        if (!read_texture(buffers[i].storage, buffers[i].bytes, texture)) continue;
        size_t elements = 0;
        while (elements + 1 < buffers.size() &&
               !buffers[elements].holds(texture.address, texture.bytes()))
            ++elements;
        textures_.push_back({i, elements, texture, gpu_.create(texture, buffers_[elements])});
    }
}

void OwnCard::launch(const LaunchShape& shape) {
    if (waits_for_grid_) return gpu_.launch_together(kernel_, shape, arguments_, offsets_);
    if (cluster_.x != 0)
        return gpu_.launch_in_clusters(kernel_, shape, {cluster_.x, cluster_.y, cluster_.z},
                                       arguments_, offsets_);
    gpu_.launch(kernel_, shape, arguments_, offsets_);
}

void OwnCard::fill() {
    for (size_t i = 0; i < buffers_.size(); ++i) {
        const Memory::Buffer& from = untouched_.memory.buffers()[i];
        std::span<const std::byte> bytes(from.storage, static_cast<size_t>(from.bytes));
        if (!holds_places(i)) {
            gpu_.upload(buffers_[i], bytes);
            continue;
        }
        std::vector<std::byte> here(bytes.begin(), bytes.end());
        place(here, i, false);
        gpu_.upload(buffers_[i], here);
    }
    for (const CardTexture& each : textures_)
        if (each.made.has_array()) gpu_.copy_in(each.made, buffers_[each.elements]);
    fill_variables();
}

void OwnCard::fill_variables() {
    for (size_t i = 0; i < variables_.size(); ++i) {
        const ptx::ModuleVariable& variable = variables_[i];
        if (!untouched_.variables_set.contains(variable.name)) continue;
        const std::byte* from = untouched_.memory.find(variable.address, variable.bytes)->storage;
        std::vector<std::byte> bytes(from, from + variable.bytes);
        place(bytes, i, true);
        gpu_.set_variable(kernel_, variable.name, bytes);
    }
}

std::vector<BufferDifference> OwnCard::differences(const StageLaunch& interpreted) {
    std::vector<BufferDifference> result;
    for (const CardTexture& each : textures_)
        if (each.texture.is_surface) gpu_.copy_out(buffers_[each.elements], each.made);
    for (size_t i = 0; i < buffers_.size(); ++i) {
        auto is_its = [&](const CardTexture& each) { return each.object == i; };
        if (std::any_of(textures_.begin(), textures_.end(), is_its)) continue;
        const Memory::Buffer& machine = interpreted.memory.buffers()[i];
        std::vector<std::byte> bytes(static_cast<size_t>(machine.bytes));
        gpu_.download(bytes, buffers_[i]);
        if (holds_places(i)) take_back(bytes, i);
        result.push_back(
            compare_buffer(interpreted.types[i], machine.storage, bytes.data(), machine.bytes));
        result.back().name = machine.name;
    }
    return result;
}

uint64_t OwnCard::address_of(const StageLaunch::PlacedAddress& placed) const {
    for (const CardTexture& each : textures_)
        if (each.object == placed.buffer) return each.made.handle();
    return buffers_[placed.buffer].address() + placed.beyond;
}

bool OwnCard::holds_places(size_t home) const {
    auto is_there = [&](const auto& placed) { return placed.home == home && !placed.in_variable; };
    return std::any_of(untouched_.addresses.begin(), untouched_.addresses.end(), is_there) ||
           std::any_of(untouched_.maps.begin(), untouched_.maps.end(), is_there);
}

void OwnCard::place(std::span<std::byte> bytes, size_t home, bool in_variable) {
    for (const StageLaunch::PlacedAddress& placed : untouched_.addresses) {
        if (placed.home != home || placed.in_variable != in_variable) continue;
        uint64_t address = address_of(placed);
        std::memcpy(&bytes[placed.offset], &address, sizeof address);
    }
    for (const StageLaunch::PlacedMap& placed : untouched_.maps) {
        if (placed.home != home || placed.in_variable != in_variable) continue;
        TensorMapBytes map = on_the_card(placed);
        std::memcpy(&bytes[placed.offset], map.data(), map.size());
    }
}

void OwnCard::take_back(std::span<std::byte> bytes, size_t home) {
    const std::byte* machine = untouched_.memory.buffers()[home].storage;
    auto exchange = [&](size_t offset, const void* card, size_t size) {
        if (std::memcmp(&bytes[offset], card, size) == 0)
            std::memcpy(&bytes[offset], machine + offset, size);
    };
    for (const StageLaunch::PlacedAddress& placed : untouched_.addresses) {
        uint64_t address = address_of(placed);
        if (placed.home == home && !placed.in_variable)
            exchange(placed.offset, &address, sizeof address);
    }
    for (const StageLaunch::PlacedMap& placed : untouched_.maps) {
        if (placed.home != home || placed.in_variable) continue;
        TensorMapBytes map = on_the_card(placed);
        exchange(placed.offset, map.data(), map.size());
    }
}

TensorMapBytes OwnCard::on_the_card(const StageLaunch::PlacedMap& placed) {
    TensorMap map = placed.map;
    map.address = buffers_[placed.buffer].address();
    return gpu_.describe(map, placed.type);
}

}  // namespace lanewise
