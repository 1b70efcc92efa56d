#include "ui/look/fonts.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/font_folders.h"
#include "ui/look/glyphs.h"

namespace lanewise::ui {
namespace fs = std::filesystem;

namespace {

// The sizes that the window and the figures use; others are drawn from the nearest one.
struct Bake {
    Font kind;
    float points;
};
constexpr Bake kBakes[] = {
    {Font::text, 14}, {Font::text, 9},  {Font::text, 10}, {Font::text, 11}, {Font::text, 12},
    {Font::text, 13}, {Font::text, 16}, {Font::text, 22}, {Font::bold, 11}, {Font::bold, 12},
    {Font::bold, 13}, {Font::bold, 14}, {Font::bold, 15}, {Font::bold, 18}, {Font::bold, 24},
    {Font::mono, 8},  {Font::mono, 9},  {Font::mono, 10}, {Font::mono, 11}, {Font::mono, 12},
    {Font::mono, 13},
};

using Files = std::map<std::string, fs::path>;

// Looked for once for each list of folders.
const Files& installed() {
    static std::map<std::vector<fs::path>, Files> known;
    std::vector<fs::path> folders = font_folders();
    auto [found, is_new] = known.try_emplace(folders);
    if (!is_new) return found->second;
    for (const fs::path& folder : folders) {
        std::error_code failed;
        auto options = fs::directory_options::skip_permission_denied;
        for (fs::recursive_directory_iterator at(folder, options, failed), end;
             !failed && at != end; at.increment(failed))
            found->second.emplace(at->path().filename().string(), at->path());
    }
    return found->second;
}

unsigned number_at(const std::string& bytes, size_t at, int size) {
    unsigned value = 0;
    for (int i = 0; i < size; ++i)
        value =
            value << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    return value;
}

// (ascender - descender) / unitsPerEm from the tables `hhea` and `head` (OpenType specification).
// 1.2 where the file does not say.
float height_ratio(const fs::path& file) {
    std::string bytes;
    try {
        bytes = read_file(file);
    } catch (const Error&) {
        return 1.2f;
    }
    size_t head = 0, hhea = 0;
    for (unsigned table = 0; table < number_at(bytes, 4, 2); ++table) {
        size_t entry = 12 + 16 * size_t{table};
        if (bytes.compare(entry, 4, "head") == 0) head = number_at(bytes, entry + 8, 4);
        if (bytes.compare(entry, 4, "hhea") == 0) hhea = number_at(bytes, entry + 8, 4);
    }
    auto ascender = static_cast<int16_t>(number_at(bytes, hhea + 4, 2));
    auto descender = static_cast<int16_t>(number_at(bytes, hhea + 6, 2));
    unsigned em = number_at(bytes, head + 18, 2);
    if (!head || !hhea || em == 0 || ascender <= descender) return 1.2f;
    return static_cast<float>(ascender - descender) / static_cast<float>(em);
}

}  // namespace

Fonts::Fonts() {
    if (auto found = installed().find("DejaVuSans.ttf"); found != installed().end())
        fallback_ = {found->second, height_ratio(found->second)};
    choose(Font::text, {"Inter-Regular.otf", "Inter-Regular.ttf"}, "fonts-inter");
    choose(Font::bold, {"Inter-SemiBold.otf", "Inter-SemiBold.ttf"}, "fonts-inter");
    choose(Font::mono, {"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf"},
           "fonts-jetbrains-mono");
}

void Fonts::choose(Font kind, const std::vector<std::string>& names, const char* package) {
    Face& face = faces_[static_cast<int>(kind)];
    for (const std::string& name : names)
        if (auto found = installed().find(name); found != installed().end()) {
            face = {found->second, height_ratio(found->second)};
            return;
        }
    face = fallback_;
    if (problem_.find(package) != std::string::npos) return;
    problem_ +=
        fmt::format("{}The font {} is not installed; {} stands in. To get it: apt install {}.",
                    problem_.empty() ? "" : " ", names[0].substr(0, names[0].find('-')),
                    fallback_.file.empty() ? "a plain built-in one" : "DejaVu Sans", package);
}

void Fonts::bake(float scale) {
    scale_ = scale;
    ImGui::GetIO().Fonts->Clear();
    baked_.clear();
    for (const Bake& bake : kBakes) {
        const Face& face = faces_[static_cast<int>(bake.kind)];
        float pixels = std::round(bake.points * face.ratio * scale);
        ImFont* font = nullptr;
        if (!face.file.empty())
            font = add_font_file(face.file.string(), pixels, glyph_ranges(), false);
        if (!font) {
            ImFontConfig config;
            config.SizePixels = pixels;
            font = ImGui::GetIO().Fonts->AddFontDefault(&config);
        } else if (face.file != fallback_.file && !fallback_.file.empty()) {
            add_font_file(fallback_.file.string(), pixels, glyph_ranges(), true);
        }
        baked_.push_back({bake.kind, bake.points, face.ratio, font});
    }
}

Fonts::Sized Fonts::pick(Font kind, float points) const {
    const Baked* best = nullptr;
    for (const Baked& baked : baked_)
        if (baked.kind == kind &&
            (!best || std::abs(baked.points - points) < std::abs(best->points - points)))
            best = &baked;
    if (!best) return {};
    // A baked size is drawn pixel for pixel; between sizes the glyphs are resampled.
    bool exact = std::abs(best->points - points) < 0.25f;
    return {best->font, exact ? baked_pixels(best->font) : points * best->ratio * scale_};
}

}  // namespace lanewise::ui
