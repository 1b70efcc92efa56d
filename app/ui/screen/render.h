// Draws Dear ImGui's triangles with OpenGL 3.3 core; the same code for the window and offscreen.
// Dear ImGui's own backend is not used, because its loader finds OpenGL through GLX only.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "ui/imgui/shown_frame.h"

namespace lanewise::ui {

// Bakes the fonts before there is a context, where that may be waited for; upload_fonts() then only uploads them.
void bake_fonts_ahead();

class Renderer {
  public:
    // A context must be current and glad loaded. Throws Error(bad_input) where the driver refuses
    // the shader.
    Renderer();
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    void upload_fonts();  // bakes where look().fonts_changed, and hands the atlas to the GPU
    // In a browser, whose canvas keeps what it shows, nothing is drawn that the frame before has drawn.
    void draw(const ImDrawData& data);

  private:
    unsigned program_ = 0, vertex_array_ = 0, vertices_ = 0, indices_ = 0, atlas_ = 0;
    int projection_ = 0;
    ShownFrame shown_;
};

// A frame buffer to draw into where there is no window, and its picture.
class OffscreenTarget {
  public:
    OffscreenTarget(int width, int height);
    ~OffscreenTarget();
    OffscreenTarget(const OffscreenTarget&) = delete;
    OffscreenTarget& operator=(const OffscreenTarget&) = delete;
    std::vector<unsigned char> rgb() const;  // top row first; it must be in use
    bool is(int width, int height) const { return width == width_ && height == height_; }
    void use() const;  // from now on Renderer::draw() draws into it
    unsigned texture() const { return texture_; }

  private:
    unsigned frame_ = 0, texture_ = 0;
    int width_, height_;
};

}  // namespace lanewise::ui
