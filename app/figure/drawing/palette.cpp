// The three themes. Greys and meanings are chosen by hand; hues of banks and lanes are computed in
// OKLCH, where equal steps look equal and all share one lightness, so one text ink reads on each.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "figure/drawing/drawing.h"

namespace lanewise {
namespace {

struct Rgb {
    double r, g, b;  // linear light
    bool in_gamut() const {
        constexpr double e = 1e-4;
        return std::min({r, g, b}) >= -e && std::max({r, g, b}) <= 1 + e;
    }
};

// Björn Ottosson, "A perceptual color space for image processing" (2020).
Rgb from_oklch(double lightness, double chroma, double hue_degrees) {
    double hue = hue_degrees * std::numbers::pi / 180;
    double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
    double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

uint8_t to_srgb_byte(double linear) {
    double x = std::clamp(linear, 0.0, 1.0);
    double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
    return static_cast<uint8_t>(std::lround(255 * encoded));
}

// The colour of this lightness and hue, as colourful as `chroma` or as a screen can show.
Color oklch(double lightness, double chroma, double hue) {
    while (chroma > 0 && !from_oklch(lightness, chroma, hue).in_gamut()) chroma -= 0.002;
    Rgb rgb = from_oklch(lightness, std::max(chroma, 0.0), hue);
    return {to_srgb_byte(rgb.r), to_srgb_byte(rgb.g), to_srgb_byte(rgb.b), 255};
}

double to_linear(uint8_t byte) {
    double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
    return 0.2126 * to_linear(c.r) + 0.7152 * to_linear(c.g) + 0.0722 * to_linear(c.b);
}

constexpr Color rgb(uint32_t hex) {
    return {static_cast<uint8_t>(hex >> 16), static_cast<uint8_t>(hex >> 8 & 255),
            static_cast<uint8_t>(hex & 255), 255};
}

struct InkRow {
    Ink ink;
    uint32_t dark, light, projector;
};

// One row per ink. The projector theme is the light one with black text and stronger lines, since
// projectors wash out whatever is subtle.
constexpr InkRow kInks[] = {
    {Ink::background, 0x14161a, 0xffffff, 0xffffff},
    {Ink::panel, 0x1c1f25, 0xf5f6f8, 0xf2f2f2},
    {Ink::border, 0x3a404a, 0xc5cad3, 0x6b7280},
    {Ink::grid, 0x2a2f37, 0xe2e5ea, 0xb4b9c2},
    {Ink::text, 0xe9ecf1, 0x1a1d23, 0x000000},
    {Ink::text_dim, 0xa6afbd, 0x535c6c, 0x333a45},
    {Ink::text_on_fill, 0x0b0d10, 0x0b0d10, 0x000000},
    {Ink::accent, 0xffc857, 0x9a5b00, 0x8a4b00},
    {Ink::good, 0x5fd38d, 0x07693a, 0x00602c},
    {Ink::warn, 0xf5a95b, 0x944400, 0x823900},
    {Ink::bad, 0xff7b72, 0xc0262d, 0xa50010},
    {Ink::useful, 0x4fb8d8, 0x55b4d4, 0x3fb0d8},
    {Ink::wasted, 0x8a6f5a, 0xb08d72, 0x8a5a36},
    {Ink::refetched, 0xc792ea, 0xb58ad6, 0xa868d8},
    {Ink::load, 0x6cb6ff, 0x1763b5, 0x00489c},
    {Ink::store, 0xe4a1f2, 0x8b2fa3, 0x75148c},
    {Ink::copy, 0x5fd38d, 0x07693a, 0x00602c},
    {Ink::datasheet, 0x9aa3b2, 0x596273, 0x333a45},
    {Ink::model, 0xffc857, 0x9a5b00, 0x8a4b00},
    {Ink::recorded, 0x6a86ad, 0x8ba6c9, 0x7d9fcb},
    {Ink::live, 0x4fb8d8, 0x2fa3cc, 0x1f9ed0},
    {Ink::published, 0xe4a1f2, 0x8b2fa3, 0x75148c},
    {Ink::padding, 0x6b7280, 0x9aa1ad, 0x7a818e},
};

struct Theme {
    const char* name;
    uint32_t InkRow::*column;
    double lightness, chroma;  // of bank and lane hues
};
constexpr Theme kThemes[] = {
    {"dark", &InkRow::dark, 0.74, 0.115},
    {"light", &InkRow::light, 0.80, 0.105},
    {"projector", &InkRow::projector, 0.80, 0.16},
};

Palette make(const Theme& theme) {
    Palette made;
    for (const InkRow& row : kInks) made.inks[static_cast<int>(row.ink)] = rgb(row.*theme.column);
    for (int i = 0; i < 32; ++i) {
        made.banks[i] = oklch(theme.lightness, theme.chroma, 20 + i * 360.0 / 32);
        made.lanes[i] = oklch(theme.lightness, theme.chroma, 265 - i * 230.0 / 31);
    }
    return made;
}

}  // namespace

Color Palette::resolve(const Fill& fill) const {
    Color color{0, 0, 0, 0};
    switch (fill.kind) {
        case Fill::Kind::none:
            return color;
        case Fill::Kind::ink:
            color = inks[static_cast<int>(fill.ink)];
            break;
        case Fill::Kind::bank:
            color = banks[fill.index & 31];
            break;
        case Fill::Kind::lane:
            color = lanes[fill.index & 31];
            break;
    }
    color.a = static_cast<uint8_t>(std::lround(255 * std::clamp(fill.alpha, 0.0f, 1.0f)));
    return color;
}

std::vector<std::string> palette_names() {
    std::vector<std::string> names;
    for (const Theme& theme : kThemes) names.emplace_back(theme.name);
    return names;
}

const Palette& palette(const std::string& theme) {
    static const Palette made[] = {make(kThemes[0]), make(kThemes[1]), make(kThemes[2])};
    for (size_t i = 0; i < std::size(kThemes); ++i)
        if (theme == kThemes[i].name) return made[i];
    throw Error(Status::bad_input,
                "there is no theme \"" + theme + "\": choose dark, light or projector");
}

double contrast(Color a, Color b) {
    double high = luminance(a), low = luminance(b);
    if (high < low) std::swap(high, low);
    return (high + 0.05) / (low + 0.05);
}

Color blend(Color top, Color bottom) {
    auto mix = [&](uint8_t over, uint8_t under) {
        return static_cast<uint8_t>((over * top.a + under * (255 - top.a) + 127) / 255);
    };
    return {mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b), 255};
}

}  // namespace lanewise
