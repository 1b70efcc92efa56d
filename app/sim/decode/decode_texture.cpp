// Decodes 9.7.10 and 9.7.11: textures and surfaces, of one and two dimensions, by their objects.
#include "sim/decode/decode_texture.h"

#include "sim/operation/textures.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

namespace {

[[noreturn]] void refuse(KernelDecoder& d) {
    d.refuse("only textures and surfaces of one or two dimensions are interpreted, by their objects "
             "(tex1Dfetch, tex1D, tex2D, surf1Dread, surf2Dwrite); not layers, cubes, gathers or "
             "gradients");
}

// [object, {x, y}]
void object(KernelDecoder& d, const ptx::Operand& operand, size_t coordinates) {
    Op& op = d.op();
    bool by_object = operand.kind == Kind::address && operand.has_base && operand.value == 0 &&
                     operand.reg.kind == ptx::RegisterKind::wide;
    if (!by_object || operand.elements.size() != coordinates) refuse(d);
    op.a = d.source_register(operand.reg);
    if (coordinates > 0) op.b = d.source(operand.elements[0], false);
    if (coordinates > 1) op.c = d.source(operand.elements[1], false);
}

size_t dimensions(KernelDecoder& d) {
    if (d.has("1d")) return 1;
    if (!d.has("2d")) refuse(d);
    return 2;
}

}  // namespace

// tex.1d.v4.f32.s32 {d, d, d, d}, [object, {x}]    tex.level.2d.v4.f32.f32 …, [object, {x, y}], level
void decode_texture(KernelDecoder& d) {
    Op& op = d.op();
    const auto& parts = d.now().parts;
    bool has_level = d.has("level");  // there is one alone, the widest
    if (parts.size() != (has_level ? 6u : 5u) || !d.has("v4") ||
        d.operands() != (has_level ? 3u : 2u))
        refuse(d);
    const TypeName* result = find_type(parts[parts.size() - 2]);
    const TypeName* by = find_type(parts.back());
    if (!result || !by || result->bytes != 4 || by->bytes != 4) refuse(d);
    using enum Texture::Numbers;
    op.target = static_cast<uint32_t>(result->type == Type::f32   ? floats
                                      : result->type == Type::s32 ? signed_integers
                                                                  : unsigned_integers);
    op.c_flip = by->type == Type::f32 ? 1 : 0;
    op.targets = static_cast<uint32_t>(dimensions(d));
    op.bytes = 4;
    op.elements = 4;
    if (d.elements(d.operand(0), false)) refuse(d);
    object(d, d.operand(1), op.targets);
    op.execute = run_texture;
}

// suld.b.2d.v2.b32.trap {d, d}, [object, {x, y}]    sust.b.1d.b32.zero [object, {x}], {a}
void decode_surface(KernelDecoder& d) {
    Op& op = d.op();
    bool is_store = d.now().parts[0] == "sust";
    const TypeName* type = nullptr;
    for (const std::string& part : d.now().parts)
        if (find_type(part)) type = find_type(part);
    if (!type || !d.has("b") || d.operands() != 2) refuse(d);
    op.targets = static_cast<uint32_t>(dimensions(d));
    op.bytes = type->bytes;
    op.elements = d.has("v4") ? 4 : d.has("v2") ? 2 : 1;
    using enum SurfaceOutside;
    op.target = static_cast<uint32_t>(d.has("clamp") ? clamp : d.has("zero") ? zero : trap);
    if (d.elements(d.operand(is_store ? 1 : 0), is_store) != (op.bytes == 8)) refuse(d);
    object(d, d.operand(is_store ? 0 : 1), op.targets);
    op.execute = is_store ? run_surface_store : run_surface_load;
}

// txq.width.b32 d, [object]    suq.height.b32 d, [object]
void decode_texture_query(KernelDecoder& d) {
    Op& op = d.op();
    if ((!d.has("width") && !d.has("height")) || d.operands() != 2) refuse(d);
    op.target = d.has("width") ? 0 : 1;
    op.d = d.destination(d.operand(0), false);
    object(d, d.operand(1), 0);
    op.execute = run_texture_query;
}

void decode_no_texture(KernelDecoder& d) { refuse(d); }

}  // namespace lanewise
