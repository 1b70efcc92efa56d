#include "ui/screen/render.h"

#include "ui/screen/gl.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "ui/look/glyphs.h"
#include "ui/look/look.h"

namespace lanewise::ui {
namespace {

constexpr const char* kVertexShader = LANEWISE_SHADER_HEAD R"(layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 tint;
uniform mat4 projection;
out vec2 at;
out vec4 paint;
void main() { at = texel; paint = tint; gl_Position = projection * vec4(position, 0, 1); }
)";
constexpr const char* kFragmentShader = LANEWISE_SHADER_HEAD R"(in vec2 at;
in vec4 paint;
uniform sampler2D image;
out vec4 result;
void main() { result = paint * texture(image, at); }
)";

#ifdef __EMSCRIPTEN__
// Dear ImGui is built with wide indices there, so that no vertex needs an offset.
constexpr bool kOffsets = false;
constexpr bool kScreenKeeps = true;  // the page's canvas, until something is drawn on it, mostly by a processor
void draw_elements(GLenum type, const ImDrawCmd& command, void* indices) {
    glDrawElements(GL_TRIANGLES, static_cast<int>(command.ElemCount), type, indices);
}
#else
constexpr bool kOffsets = true;
constexpr bool kScreenKeeps = false;  // two buffers take turns
void draw_elements(GLenum type, const ImDrawCmd& command, void* indices) {
    glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<int>(command.ElemCount), type, indices,
                             static_cast<int>(command.VtxOffset));
}
#endif

unsigned compile_shader(GLenum kind, const char* source) {
    unsigned shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    int fine = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    if (fine) return shader;
    char log[512] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    throw Error(Status::bad_input, std::string("the OpenGL driver refuses a shader: ") + log +
                                       "\nTry software drawing: LIBGL_ALWAYS_SOFTWARE=1");
}

// What the atlas depends on: another one has to be baked where it has changed.
std::pair<float, uint64_t> look_of_fonts() { return {look().pixels_per_point(), glyphs_wanted()}; }

AtlasPixels bake() {
    look().fonts->bake(look().pixels_per_point());
    AtlasPixels pixels = build_fonts();
    take_stock_of_glyphs();
    return pixels;
}

// Dear ImGui begins with the ground of the whole window, two triangles. Where the screen was just cleared to their
// color, a processor that draws saves a fifth of its time without them. Returns how many indices may be left out.
unsigned ground_of(const ImDrawData& data, ImU32 cleared_to) {
    constexpr int kGround = 6;
    if (data.CmdListsCount == 0 || (cleared_to & IM_COL32_A_MASK) != IM_COL32_A_MASK) return 0;
    const ImDrawList& list = *data.CmdLists[0];
    if (list.CmdBuffer.Size == 0 || list.CmdBuffer[0].ElemCount < kGround) return 0;
    const ImDrawCmd& command = list.CmdBuffer[0];
    ImVec2 low(1e9f, 1e9f), high(-1e9f, -1e9f);
    for (int i = 0; i < kGround; ++i) {
        const auto index = list.IdxBuffer[static_cast<int>(command.IdxOffset) + i];
        const ImDrawVert& corner = list.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
        if (corner.col != cleared_to) return 0;
        low = ImVec2(std::min(low.x, corner.pos.x), std::min(low.y, corner.pos.y));
        high = ImVec2(std::max(high.x, corner.pos.x), std::max(high.y, corner.pos.y));
    }
    const ImVec2 end(data.DisplayPos.x + data.DisplaySize.x, data.DisplayPos.y + data.DisplaySize.y);
    const bool covers = low.x <= data.DisplayPos.x && low.y <= data.DisplayPos.y && high.x >= end.x && high.y >= end.y;
    return covers ? kGround : 0;
}

AtlasPixels baked_ahead;  // its pixels are the first window's atlas's, until they are uploaded
std::pair<float, uint64_t> baked_for;

}  // namespace

Renderer::Renderer() {
    program_ = glCreateProgram();
    unsigned shaders[] = {compile_shader(GL_VERTEX_SHADER, kVertexShader),
                          compile_shader(GL_FRAGMENT_SHADER, kFragmentShader)};
    for (unsigned shader : shaders) glAttachShader(program_, shader);
    glLinkProgram(program_);
    for (unsigned shader : shaders) glDeleteShader(shader);
    projection_ = glGetUniformLocation(program_, "projection");
    glGenVertexArrays(1, &vertex_array_);
    glGenBuffers(1, &vertices_);
    glGenBuffers(1, &indices_);
    glGenTextures(1, &atlas_);

    glBindVertexArray(vertex_array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
    constexpr int kStride = sizeof(ImDrawVert);
    const struct {
        int size;
        GLenum type;
        GLboolean normalized;
        size_t offset;
    } attributes[] = {{2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos)},
                      {2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv)},
                      {4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col)}};
    for (unsigned i = 0; i < 3; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, attributes[i].size, attributes[i].type, attributes[i].normalized,
                              kStride, reinterpret_cast<void*>(attributes[i].offset));
    }
    if (kOffsets) ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
}

Renderer::~Renderer() {
    glDeleteTextures(1, &atlas_);
    glDeleteBuffers(1, &indices_);
    glDeleteBuffers(1, &vertices_);
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteProgram(program_);
}

void bake_fonts_ahead() {
    baked_ahead = bake();
    baked_for = look_of_fonts();
}

void Renderer::upload_fonts() {
    if (!look().fonts_changed) return;
    const bool ahead = baked_ahead.rgba && baked_for == look_of_fonts();
    const AtlasPixels pixels = ahead ? baked_ahead : bake();
    baked_ahead = {};
    glBindTexture(GL_TEXTURE_2D, atlas_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, pixels.width, pixels.height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, pixels.rgba);
    set_atlas_texture(atlas_);
    shown_.forget();
    ImGui::GetIO().Fonts->ClearTexData();
    look().fonts_changed = false;
}

void Renderer::draw(const ImDrawData& data) {
    ImVec2 dots(data.DisplaySize.x * data.FramebufferScale.x,
                data.DisplaySize.y * data.FramebufferScale.y);
    auto width = static_cast<int>(dots.x), height = static_cast<int>(dots.y);
    if (width <= 0 || height <= 0) return;
    if (kScreenKeeps && shown_.is(data, atlas_)) return;
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    ImVec4 back = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    glClearColor(back.x, back.y, back.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(program_);
    glBindVertexArray(vertex_array_);
    float left = data.DisplayPos.x, top = data.DisplayPos.y;
    float w = data.DisplaySize.x, h = data.DisplaySize.y;
    const float projection[16] = {
        2 / w, 0, 0, 0, 0, -2 / h, 0, 0, 0, 0, 1, 0, -1 - 2 * left / w, 1 + 2 * top / h, 0, 1};
    glUniformMatrix4fv(projection_, 1, GL_FALSE, projection);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    unsigned left_out = kScreenKeeps ? ground_of(data, ImGui::ColorConvertFloat4ToU32(back)) : 0;
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        glBufferData(GL_ARRAY_BUFFER,
                     list.VtxBuffer.Size * static_cast<GLsizeiptr>(sizeof(ImDrawVert)),
                     list.VtxBuffer.Data, GL_STREAM_DRAW);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                     list.IdxBuffer.Size * static_cast<GLsizeiptr>(sizeof(ImDrawIdx)),
                     list.IdxBuffer.Data, GL_STREAM_DRAW);
        for (ImDrawCmd command : list.CmdBuffer) {
            if (command.UserCallback) continue;  // we draw none
            command.IdxOffset += left_out;
            command.ElemCount -= std::exchange(left_out, 0u);
            float x0 = (command.ClipRect.x - left) * data.FramebufferScale.x;
            float y0 = (command.ClipRect.y - top) * data.FramebufferScale.y;
            float x1 = (command.ClipRect.z - left) * data.FramebufferScale.x;
            float y1 = (command.ClipRect.w - top) * data.FramebufferScale.y;
            if (x1 <= x0 || y1 <= y0) continue;
            glScissor(static_cast<int>(x0), height - static_cast<int>(y1),
                      static_cast<int>(x1 - x0), static_cast<int>(y1 - y0));
            glBindTexture(GL_TEXTURE_2D, texture_of(command));
            draw_elements(sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT, command,
                          reinterpret_cast<void*>(command.IdxOffset * sizeof(ImDrawIdx)));
        }
    }
}

OffscreenTarget::OffscreenTarget(int width, int height) : width_(width), height_(height) {
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glGenFramebuffers(1, &frame_);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Error(Status::bad_input, "the OpenGL driver cannot draw a picture of " +
                                           std::to_string(width) + "x" + std::to_string(height) +
                                           "; choose a smaller --size");
}

OffscreenTarget::~OffscreenTarget() {
    glDeleteFramebuffers(1, &frame_);
    glDeleteTextures(1, &texture_);
}

void OffscreenTarget::use() const { glBindFramebuffer(GL_FRAMEBUFFER, frame_); }

std::vector<unsigned char> OffscreenTarget::rgb() const {
    size_t row = static_cast<size_t>(width_) * 3;
    std::vector<unsigned char> upside_down(row * static_cast<size_t>(height_)),
        picture(upside_down);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
    for (size_t y = 0; y < static_cast<size_t>(height_); ++y)
        std::copy_n(upside_down.begin() +
                        static_cast<std::ptrdiff_t>((static_cast<size_t>(height_) - 1 - y) * row),
                    row, picture.begin() + static_cast<std::ptrdiff_t>(y * row));
    return picture;
}

}  // namespace lanewise::ui
