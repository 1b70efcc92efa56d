// The families of textures and surfaces (KernelDecoder's, as those of decoder.h).
#pragma once
#include "sim/decode/decoder.h"

namespace lanewise {

void decode_texture(KernelDecoder& d);        // tex
void decode_surface(KernelDecoder& d);        // suld, sust
void decode_texture_query(KernelDecoder& d);  // txq, suq
void decode_no_texture(KernelDecoder& d);     // tld4, sured: refused

}  // namespace lanewise
