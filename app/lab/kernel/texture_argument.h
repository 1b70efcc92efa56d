// tex:… and surf:…, the objects of textures and surfaces, as arguments. Like ptr[…], such an argument is
// a pointer to memory that is laid out here: the texture's description (sim/memory/texture.h), of which
// one member is a pointer to the elements' buffer, its own or a named one. A card has another object.
#pragma once
#include <string>
#include <string_view>

#include "lab/kernel/kernel_arguments.h"
#include "sim/memory/texture.h"

namespace lanewise {

bool is_texture_text(std::string_view text);

// Throws Error(bad_input) that says why, without the text.
KernelArgument texture_argument(const std::string& text);
// All but the address.
Texture texture_of(const std::string& text);

// What to begin with for a parameter as the source declares it, by how the source reads it:
// "tex:f32:64x64" for "cudaTextureObject_t image"; "" where it is neither a texture nor a surface.
std::string suggested_texture(const std::string& parameter, const std::string& source);

}  // namespace lanewise
