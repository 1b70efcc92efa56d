// Charts and other pictures as files and on the clipboard.
#include <fmt/format.h>
#include <imgui.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "figure/drawing/svg.h"
#include "ui/chart/picture.h"
#include "ui/launch/charts.h"
#include "ui/look/look.h"

namespace lanewise::ui {
namespace {

constexpr float kMargin = 16, kTitlePoints = 15;
constexpr float kLeastFineness = 2;  // pixels per point of a saved picture
constexpr const char* kEndings[] = {"png", "svg", "csv"};

std::filesystem::path home_folder() {
    const char* home = std::getenv("HOME");
    return home && *home ? std::filesystem::path(home) : std::filesystem::path();
}

// XDG_PICTURES_DIR="$HOME/Pictures", as xdg-user-dirs writes it; empty where it says nothing.
std::filesystem::path pictures_by_xdg() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    std::filesystem::path file =
        (config && *config ? std::filesystem::path(config) : home_folder() / ".config") /
        "user-dirs.dirs";
    std::error_code failed;
    if (!std::filesystem::exists(file, failed)) return {};
    std::string text = read_file(file);
    for (std::string_view line : lines_of(text)) {
        constexpr std::string_view kName = "XDG_PICTURES_DIR=\"", kHome = "$HOME/";
        if (!line.starts_with(kName) || !line.ends_with('"')) continue;
        line = line.substr(kName.size(), line.size() - kName.size() - 1);
        if (line.starts_with(kHome)) return home_folder() / line.substr(kHome.size());
        return line;
    }
    return {};
}

std::filesystem::path expanded(const std::string& typed) {
    std::string text(trimmed(typed));
    if (text.empty()) return std::filesystem::current_path();
    if (text == "~" || text.starts_with("~/"))
        return home_folder() / text.substr(text == "~" ? 1 : 2);
    return std::filesystem::absolute(text);
}

// "lanewise-sizes-30_padded-4096x4096-f32"; with -2, -3 … where there is such a file.
std::filesystem::path free_name(const App& app, const std::filesystem::path& folder,
                                const std::string& id, ChartFormat format) {
    std::string stage = std::filesystem::path(app.stage().file).stem().string();
    const Selection& c = app.chosen();
    const int64_t inner = size_of(c).inner;
    std::string name = fmt::format("lanewise-{}-{}-{}x{}{}-{}", id, stage, c.rows, c.cols,
                                   inner != kNoInner ? fmt::format("x{}", inner) : "", c.type);
    const char* ending = kEndings[static_cast<int>(format)];
    std::error_code failed;
    std::filesystem::path file = folder / fmt::format("{}.{}", name, ending);
    for (int i = 2; std::filesystem::exists(file, failed); ++i)
        file = folder / fmt::format("{}-{}.{}", name, i, ending);
    return file;
}

bool is_chart(const App& app, PictureOf of) {
    return of == PictureOf::view && charts_shown(app) && app.charts;
}

// The chart as it is shown.
SavedPicture chart_to_save(const App& app) {
    return {chart_kinds()[app.charts->chosen].id, chart_title(app),
            [&app](const Measure& measure) {
                const Charts& c = *app.charts;
                return draw_chart(c.input, c.width, c.height, c.drawn_window, measure).drawing;
            },
            [&app] { return chart_csv(app.charts->input, chart_title(app)); }};
}

std::optional<SavedPicture> to_save(const App& app, PictureOf of) {
    if (is_chart(app, of)) return chart_to_save(app);
    return saved_picture(app, of);
}

// Under its title.
Drawing under_title(const SavedPicture& picture, const Measure& measure) {
    Drawing drawing = picture.draw(measure);
    Drawing whole;
    whole.width = std::max(drawing.width, measure(picture.title, kTitlePoints, Font::bold));
    float height = 1.6f * kTitlePoints;
    whole.text({0, 0, whole.width, height}, picture.title, kTitlePoints, Fill::of(Ink::text),
               Align::left, Font::bold);
    whole.add(drawing, {0, height + 4});
    whole.height = height + 4 + drawing.height;
    return framed(whole, kMargin);
}

std::string text_of(const SavedPicture& picture, ChartFormat format) {
    if (format == ChartFormat::csv) return picture.csv();
    // Other programs have other fonts: laid out for the widest.
    return svg(under_title(picture, measure_approximately), *look().palette, picture.title);
}

void write_into(App& app, const SavedPicture& picture, ChartFormat format,
                const std::string& bytes) {
    try {
        std::filesystem::path file =
            free_name(app, expanded(charts(app).folder), picture.id, format);
        write_file(file, bytes);
        app.said.toast = {"Saved " + file.string()};
    } catch (const std::exception& error) {  // Error, or a folder that cannot be looked at
        app.said.notices.insert(app.said.notices.begin(), std::string("The chart was not saved: ") +
                                                              error.what() +
                                                              ". Type another folder under Save …");
    }
}

}  // namespace

std::filesystem::path pictures_folder() {
    std::error_code failed;
    for (const std::filesystem::path& folder : {pictures_by_xdg(), home_folder() / "Pictures"})
        if (folder.is_absolute() && std::filesystem::is_directory(folder, failed)) return folder;
    return std::filesystem::current_path(failed);
}

std::string chart_title(const App& app) {
    const Selection& c = app.chosen();
    const int64_t inner = size_of(c).inner;
    auto number = [](int64_t value) { return with_thousands(static_cast<uint64_t>(value)); };
    return fmt::format("{}: {}, {}\u00a0×\u00a0{}{} {}", chart_kinds()[app.charts->chosen].title,
                       app.stage().title, number(c.rows), number(c.cols),
                       inner != kNoInner ? "\u00a0×\u00a0" + number(inner) : "", c.type);
}

std::string nothing_to_save(const App& app, PictureOf of) {
    if (to_save(app, of)) return "";
    if (of == PictureOf::mismatch) return "Open the map of a wrong result first.";
    if (of == PictureOf::blocks) return "Show the data flow first.";
    return "Show a chart, the forge, the data flow or a product's picture first.";
}

std::string picture_text(const App& app, PictureOf of, ChartFormat format) {
    std::optional<SavedPicture> picture = to_save(app, of);
    return picture ? text_of(*picture, format) : "";
}
std::string chart_text(const App& app, ChartFormat format) {
    return picture_text(app, PictureOf::view, format);
}

void save_picture(App& app, PictureOf of, ChartFormat format) {
    std::optional<SavedPicture> picture = to_save(app, of);
    if (!picture) return;
    Charts& c = charts(app);
    if (c.folder.empty()) c.folder = pictures_folder().string();
    if (format != ChartFormat::png)
        return write_into(app, *picture, format, text_of(*picture, format));
    c.save_wanted = format;
    c.wanted_of = of;
}
void save_chart(App& app, ChartFormat format) { save_picture(app, PictureOf::view, format); }

void copy_picture(App& app, PictureOf of, ChartFormat format) {
    std::optional<SavedPicture> picture = to_save(app, of);
    if (!picture) return;
    ImGui::SetClipboardText(text_of(*picture, format).c_str());
    app.said.toast = {format == ChartFormat::csv ? "Copied the table"
                                                 : "Copied the picture as SVG"};
}
void copy_chart(App& app, ChartFormat format) { copy_picture(app, PictureOf::view, format); }

void save_pending_chart(App& app) {
    if (!app.charts || !app.charts->save_wanted) return;
    app.charts->save_wanted.reset();
    std::optional<SavedPicture> picture = to_save(app, app.charts->wanted_of);
    if (!picture) return;
    float fineness = std::max(kLeastFineness, look().pixels_per_point());
    std::string png = picture_of(fineness, [&] { return under_title(*picture, window_measure()); });
    write_into(app, *picture, ChartFormat::png, png);
}

}  // namespace lanewise::ui
