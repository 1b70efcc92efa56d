// Fills -> the attributes and CSS rules of an SVG.
#include "figure/drawing/svg_paint.h"

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "figure/drawing/svg.h"

namespace lanewise {
namespace {

// As the CSS variables are called, in the order of Ink.
constexpr const char* kInkNames[] = {
    "background",   "panel",     "border", "grid",      "text",   "text-dim",
    "text-on-fill", "accent",    "good",   "warn",      "bad",    "useful",
    "wasted",       "refetched", "load",   "store",     "copy",   "datasheet",
    "model",        "recorded",  "live",   "published", "padding"};
static_assert(std::size(kInkNames) == static_cast<size_t>(Ink::count_));

// "b12", "l5", "i4": short, since nobody else reads a file's own names.
std::string class_of(const Fill& fill) {
    if (fill.kind == Fill::Kind::bank) return fmt::format("b{}", fill.index & 31);
    if (fill.kind == Fill::Kind::lane) return fmt::format("l{}", fill.index & 31);
    return fmt::format("i{}", static_cast<int>(fill.ink));
}

}  // namespace

std::string hex_value(const Color& color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

std::string variable_value(const Fill& fill) {
    switch (fill.kind) {
        case Fill::Kind::bank:
            return fmt::format("var(--bank-{})", fill.index & 31);
        case Fill::Kind::lane:
            return fmt::format("var(--lane-{})", fill.index & 31);
        default:
            return fmt::format("var(--{})", kInkNames[static_cast<int>(fill.ink)]);
    }
}

std::string StylePaint::attributes(const Fill& fill, const Fill& stroke, const std::string& font) {
    std::string css = "fill:" + (fill.kind == Fill::Kind::none ? "none" : value_(fill));
    if (stroke.kind != Fill::Kind::none) css += ";stroke:" + value_(stroke);
    std::string classes = font.empty() ? "" : fmt::format(" class=\"{}\"", font);
    return classes + fmt::format(" style=\"{}\"", css);
}

std::string ClassPaint::attributes(const Fill& fill, const Fill& stroke, const std::string& font) {
    std::string classes = font;
    auto add = [&](const std::string& name) { classes += (classes.empty() ? "" : " ") + name; };
    auto named = [&](const std::string& name, const Fill& of) {
        named_[name] = of;
        add(name);
    };
    const bool has_fill = fill.kind != Fill::Kind::none, has_stroke = stroke.kind != Fill::Kind::none;
    if (!has_fill) {
        add("o");
        named(class_of(stroke), stroke);
    } else {
        named(class_of(fill), fill);
        if (has_stroke && class_of(stroke) == class_of(fill))
            add("s");
        else if (has_stroke)
            named("s" + class_of(stroke), stroke);
    }
    return fmt::format(" class=\"{}\"", classes);
}

static std::set<std::string> classes_in(const std::string& elements) {
    constexpr std::string_view kBegin = "class=\"";
    std::set<std::string> classes;
    for (size_t at = elements.find(kBegin); at != std::string::npos;
         at = elements.find(kBegin, at)) {
        at += kBegin.size();
        std::istringstream names(elements.substr(at, elements.find('"', at) - at));
        for (std::string name; names >> name;) classes.insert(name);
    }
    return classes;
}

std::string ClassPaint::rules(const std::string& elements) const {
    const std::set<std::string> classes = classes_in(elements);
    std::string fixed = "*{fill:currentColor}", light, dark;
    if (classes.contains("o")) fixed += ".o,.o *{fill:none}.o{stroke:currentColor}";
    if (classes.contains("s")) fixed += ".s{stroke:currentColor}";
    for (const std::string& name : classes) {
        auto fill = named_.find(name);
        if (fill == named_.end()) continue;  // a font's
        const char* what = name[0] == 's' ? "stroke" : "color";
        auto rule = [&](const char* theme) {
            return fmt::format(".{}{{{}:{}}}", name, what,
                               hex_value(palette(theme).resolve(fill->second)));
        };
        light += rule("light");
        dark += rule("dark");
    }
    return fixed + light + "@media screen and (prefers-color-scheme:dark){" + dark + "}";
}

std::string css_variables(const Palette& palette) {
    std::string css;
    for (int i = 0; i < static_cast<int>(Ink::count_); ++i)
        css += fmt::format("--{}:{};", kInkNames[i], hex_value(palette.inks[i]));
    for (int i = 0; i < 32; ++i)
        css += fmt::format("--bank-{0}:{1};--lane-{0}:{2};", i, hex_value(palette.banks[i]),
                           hex_value(palette.lanes[i]));
    return css;
}

}  // namespace lanewise
