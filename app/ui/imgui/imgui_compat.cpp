#include "ui/imgui/imgui_compat.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>
#if __has_include(<imgui_freetype.h>)
#include <imgui_freetype.h>
#define LANEWISE_FREETYPE 1
#else
#define LANEWISE_FREETYPE 0
#endif

#include "base/error.h"
#include "base/files.h"
#include "ui/imgui/pressed_once.h"
#include "ui/imgui/spent_key.h"

namespace lanewise::ui {

namespace {
struct {
    const ImGuiContext* context = nullptr;
    int frame = 0;
    Key key = Key::count_;
} spent;
bool is_spent(Key key) {
    return spent.key == key && spent.context == ImGui::GetCurrentContext() &&
           spent.frame == ImGui::GetFrameCount();
}
}  // namespace

void spend(Key key) { spent = {ImGui::GetCurrentContext(), ImGui::GetFrameCount(), key}; }

// ---- keys: up to 1.86 Dear ImGui passes the window library's own key numbers through; since 1.87
// every key has a name of its own.
#if IMGUI_VERSION_NUM < 18700
namespace {
struct NativeKey {
    int native;
    int imgui;  // the slot of io.KeyMap, or -1
};
constexpr NativeKey kKeys[] = {
    {GLFW_KEY_TAB, ImGuiKey_Tab},
    {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
    {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
    {GLFW_KEY_UP, ImGuiKey_UpArrow},
    {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
    {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
    {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
    {GLFW_KEY_HOME, ImGuiKey_Home},
    {GLFW_KEY_END, ImGuiKey_End},
    {GLFW_KEY_INSERT, ImGuiKey_Insert},
    {GLFW_KEY_DELETE, ImGuiKey_Delete},
    {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
    {GLFW_KEY_SPACE, ImGuiKey_Space},
    {GLFW_KEY_ENTER, ImGuiKey_Enter},
    {GLFW_KEY_ESCAPE, ImGuiKey_Escape},
    {GLFW_KEY_F1, -1},
    {GLFW_KEY_F5, -1},
    {GLFW_KEY_F6, -1},
    {GLFW_KEY_F9, -1},
    {GLFW_KEY_F10, -1},
    {GLFW_KEY_F11, -1},
    {GLFW_KEY_EQUAL, -1},
    {GLFW_KEY_MINUS, -1},
    {GLFW_KEY_0, -1},
    {GLFW_KEY_A, ImGuiKey_A},
    {GLFW_KEY_C, ImGuiKey_C},
    {GLFW_KEY_E, -1},
    {GLFW_KEY_F, -1},
    {GLFW_KEY_O, -1},
    {GLFW_KEY_P, -1},
    {GLFW_KEY_S, -1},
    {GLFW_KEY_V, ImGuiKey_V},
    {GLFW_KEY_X, ImGuiKey_X},
    {GLFW_KEY_Y, ImGuiKey_Y},
    {GLFW_KEY_Z, ImGuiKey_Z},
    {GLFW_KEY_KP_ADD, -1},
    {GLFW_KEY_KP_SUBTRACT, -1},
    {GLFW_KEY_KP_0, -1},
};
static_assert(sizeof kKeys / sizeof kKeys[0] == static_cast<size_t>(Key::count_));
int native(Key key) { return kKeys[static_cast<int>(key)].native; }
}  // namespace

bool pressed(Key key) { return !is_spent(key) && ImGui::IsKeyPressed(native(key)); }
bool pressed_once(Key key) { return !is_spent(key) && ImGui::IsKeyPressed(native(key), false); }
bool enter_on_item() {
    return ImGui::IsItemFocused() && ImGui::GetIO().NavVisible && pressed_once(Key::enter);
}
void map_keys() {
    for (const NativeKey& key : kKeys)
        if (key.imgui >= 0) ImGui::GetIO().KeyMap[key.imgui] = key.native;
}

void send_key(Key key, bool down) { ImGui::GetIO().KeysDown[native(key)] = down; }
void send_modifiers(bool ctrl, bool shift) {
    ImGui::GetIO().KeyCtrl = ctrl;
    ImGui::GetIO().KeyShift = shift;
}
void send_pointer(ImVec2 position) { ImGui::GetIO().MousePos = position; }
void send_button(bool down) { ImGui::GetIO().MouseDown[0] = down; }
void send_wheel(float notches) { ImGui::GetIO().MouseWheel += notches; }
#else
namespace {
constexpr ImGuiKey kKeys[] = {
    ImGuiKey_Tab,
    ImGuiKey_LeftArrow,
    ImGuiKey_RightArrow,
    ImGuiKey_UpArrow,
    ImGuiKey_DownArrow,
    ImGuiKey_PageUp,
    ImGuiKey_PageDown,
    ImGuiKey_Home,
    ImGuiKey_End,
    ImGuiKey_Insert,
    ImGuiKey_Delete,
    ImGuiKey_Backspace,
    ImGuiKey_Space,
    ImGuiKey_Enter,
    ImGuiKey_Escape,
    ImGuiKey_F1,
    ImGuiKey_F5,
    ImGuiKey_F6,
    ImGuiKey_F9,
    ImGuiKey_F10,
    ImGuiKey_F11,
    ImGuiKey_Equal,
    ImGuiKey_Minus,
    ImGuiKey_0,
    ImGuiKey_A,
    ImGuiKey_C,
    ImGuiKey_E,
    ImGuiKey_F,
    ImGuiKey_O,
    ImGuiKey_P,
    ImGuiKey_S,
    ImGuiKey_V,
    ImGuiKey_X,
    ImGuiKey_Y,
    ImGuiKey_Z,
    ImGuiKey_KeypadAdd,
    ImGuiKey_KeypadSubtract,
    ImGuiKey_Keypad0,
};
static_assert(sizeof kKeys / sizeof kKeys[0] == static_cast<size_t>(Key::count_));
}  // namespace

bool pressed(Key key) {
    return !is_spent(key) && ImGui::IsKeyPressed(kKeys[static_cast<int>(key)]);
}
bool pressed_once(Key key) {
    return !is_spent(key) && ImGui::IsKeyPressed(kKeys[static_cast<int>(key)], false);
}
bool enter_on_item() { return false; }
void map_keys() {}
void send_key(Key key, bool down) {
    ImGui::GetIO().AddKeyEvent(kKeys[static_cast<int>(key)], down);
}
void send_modifiers(bool ctrl, bool shift) {
#if IMGUI_VERSION_NUM < 18900
    ImGui::GetIO().AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_ModShift, shift);
#else
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, ctrl);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, shift);
#endif
}
void send_pointer(ImVec2 position) { ImGui::GetIO().AddMousePosEvent(position.x, position.y); }
void send_button(bool down) { ImGui::GetIO().AddMouseButtonEvent(0, down); }
void send_wheel(float notches) { ImGui::GetIO().AddMouseWheelEvent(0, notches); }
#endif

// Not only the fresh keys' own releases wait: a chord's modifier, which may have gone down frames
// ago, counts as it is when the frame is built, not as it was when the key went down.
bool HeldKeys::keeps(const KeyEvent& event) {
    if (event.action == GLFW_RELEASE && !fresh_.empty()) {
        releases_.push_back(event);
        return true;
    }
    if (event.action == GLFW_PRESS) fresh_.push_back(event.key);
    return false;
}
std::vector<KeyEvent> HeldKeys::take() {
    fresh_.clear();
    return std::exchange(releases_, {});
}

namespace {
HeldKeys keys_held;  // of the first window
GLFWwindow* holder = nullptr;
GLFWkeyfun backend = nullptr;

void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
    if (!keys_held.keeps({key, scancode, action, modifiers}))
        backend(window, key, scancode, action, modifiers);
}
}  // namespace

void hold_short_presses(GLFWwindow* window) {
    holder = window;
    backend = glfwSetKeyCallback(window, on_key);
}
void release_held_keys() {
    for (const KeyEvent& r : keys_held.take()) backend(holder, r.key, r.scancode, r.action, r.modifiers);
}

bool events_waiting() {
#if IMGUI_VERSION_NUM < 18700
    return false;
#else
    return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#endif
}

static ImGuiWindow* text_box(const char* label) {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    char name[512];
    std::snprintf(name, sizeof name, "%s/%s_%08X", window->Name, label,
                  ImGui::GetCurrentWindow()->GetID(label));
    return ImGui::FindWindowByName(name);
}

TextBoxView text_box_view(const char* label) {
    const ImGuiWindow* box = text_box(label);
    if (!box) return {};
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    ImVec2 start = box->DC.CursorStartPos;
    return {ImVec2(start.x + padding.x, start.y + padding.y), box->InnerRect.Min,
            box->InnerRect.Max};
}

void scroll_text_box(const char* label, float pixels) {
    if (ImGuiWindow* box = text_box(label)) ImGui::SetScrollY(box, box->Scroll.y + pixels);
}

// From 1.87 on SetKeyboardFocusHere() asks for it as Tab does, and comes to nothing in a window
// without navigation, as the picture's is (seen with 1.90.1).
void focus_text_box(const char* label) {
#if IMGUI_VERSION_NUM < 18900
    (void)label;
    ImGui::SetKeyboardFocusHere();
#else
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGui::SetNavWindow(g.CurrentWindow);
    g.NavNextActivateId = ImGui::GetID(label);
    g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
#endif
}

void release_active_item() { ImGui::ClearActiveID(); }

void send_character(unsigned character) { ImGui::GetIO().AddInputCharacter(character); }

bool typed(unsigned character) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || io.KeyCtrl || io.KeyAlt) return false;
    for (ImWchar c : io.InputQueueCharacters)
        if (c == character) return true;
    return false;
}

// ---- fonts: 1.92 bakes on demand where the renderer can follow; ours asks for a finished atlas,
// which every version still offers.
// A file's bytes, read once: the atlas takes each file a dozen times, in a dozen sizes. Empty where
// it cannot be read.
static std::string& font_bytes(const std::string& path) {
    static std::map<std::string, std::string> read;
    auto [found, is_new] = read.try_emplace(path);
    if (!is_new) return found->second;
    try {
        found->second = read_file(path);
    } catch (const Error&) {
    }
    return found->second;
}

// Of bytes that are not its own the atlas makes a copy. Up to 1.91 it makes none where it hears only
// afterwards that they are not.
#if IMGUI_VERSION_NUM < 19200
constexpr bool kBytesAreOurs = false;
#else
constexpr bool kBytesAreOurs = true;
#endif

ImFont* add_font_file(const std::string& path, float pixels, const ImWchar* ranges, bool merge) {
    std::string& bytes = font_bytes(path);
    if (bytes.empty()) return nullptr;
    ImFontConfig config;
    config.FontDataOwnedByAtlas = !kBytesAreOurs;
    config.MergeMode = merge;
    config.OversampleH = LANEWISE_FREETYPE ? 1 : 2;
    config.OversampleV = 1;
    config.PixelSnapH = false;
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    ImFont* font = atlas->AddFontFromMemoryTTF(bytes.data(), static_cast<int>(bytes.size()), pixels,
                                               &config, ranges);
#if IMGUI_VERSION_NUM < 19200
    atlas->ConfigData.back().FontDataOwnedByAtlas = false;
#endif
    return font;
}

AtlasPixels build_fonts() {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
#if LANEWISE_FREETYPE
#if IMGUI_VERSION_NUM < 19200
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
#if IMGUI_VERSION_NUM < 19170
    atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#else
    atlas->FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
#endif
#else
    atlas->SetFontLoader(ImGuiFreeType::GetFontLoader());
    atlas->FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
#endif
#endif
    AtlasPixels pixels;
    atlas->GetTexDataAsRGBA32(&pixels.rgba, &pixels.width, &pixels.height);
    return pixels;
}

// A texture is a void* up to 1.91.3 and a 64-bit number after that; the C casts fit both.
void set_atlas_texture(unsigned texture) {
    ImGui::GetIO().Fonts->SetTexID((ImTextureID)(uintptr_t)texture);
}
unsigned texture_of(const ImDrawCmd& command) { return (unsigned)(uintptr_t)command.GetTexID(); }

void begin_list(ImDrawList& list) {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    list._ResetForNewFrame();
    // Dear ImGui itself learns of a new atlas with the next frame only.
    ImGui::GetDrawListSharedData()->TexUvWhitePixel = atlas->TexUvWhitePixel;
#if IMGUI_VERSION_NUM < 19200
    list.PushTextureID(atlas->TexID);
#else
    list.PushTexture(atlas->TexRef);
#endif
    // Lines by a texture would want it filtered.
    list.Flags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill;
    // Not the screen's: a picture may be larger, and there may be none.
    constexpr float kFar = 1e6f;
    list.PushClipRect(ImVec2(-kFar, -kFar), ImVec2(kFar, kFar));
}

#if IMGUI_VERSION_NUM < 19200
float baked_pixels(const ImFont* font) { return font->FontSize; }
void push_font(ImFont* font, float) { ImGui::PushFont(font); }
#else
float baked_pixels(const ImFont* font) { return font->LegacySize; }
void push_font(ImFont* font, float pixels) { ImGui::PushFont(font, pixels); }
#endif

ImVec2 text_extent(ImFont* font, float pixels, const char* begin, const char* end) {
    return font->CalcTextSizeA(pixels, FLT_MAX, 0, begin, end);
}

void set_keyboard_frame_color(ImVec4 color) {
#if IMGUI_VERSION_NUM < 19140
    ImGui::GetStyle().Colors[ImGuiCol_NavHighlight] = color;
#else
    ImGui::GetStyle().Colors[ImGuiCol_NavCursor] = color;
#endif
}

}  // namespace lanewise::ui
