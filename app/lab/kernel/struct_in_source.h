// The members of a struct that a kernel takes by value, by a scan of the source's text: for what to
// type for it, and for the names of the buffers in it, which PTX does not keep.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// A member, or the struct itself: a leaf, or what has members of its own.
struct StructMember {
    std::string type{}, name{};  // "const float*", "in"; of an array each element: "a[2]"
    bool is_struct = false;
    uint32_t align = 0;  // as it asks for; 0: that of its members
    std::vector<StructMember> members{};
};

// `type` as far as the source tells: CUDA's vectors and dim3, and the structs that are written out
// there. A leaf for everything else, and where the scan cannot be sure: unions, bit fields, base
// classes, template parameters. What it misreads costs a suggestion or a name, never a result.
StructMember struct_in_source(std::string_view source, std::string_view type);

// "{i32:1,align16{f32:1,f32:1,f32:1,f32:1}}": what --arg takes for it. `leaf` says it for what is
// no struct.
std::string struct_form(const StructMember& member,
                        const std::function<std::string(const StructMember&)>& leaf);

}  // namespace lanewise
