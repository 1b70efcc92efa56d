// Charts as files and on the clipboard.
#include <fmt/format.h>
#include <imgui.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "figure/svg.h"
#include "ui/charts.h"
#include "ui/look.h"
#include "ui/picture.h"

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
                                ChartFormat format) {
    std::string stage = std::filesystem::path(app.stage().file).stem().string();
    const Choice& c = app.choice;
    std::string name =
        fmt::format("lanewise-{}-{}-{}x{}{}-{}", chart_kinds()[app.charts->chosen].id, stage,
                    c.rows, c.cols, c.product ? fmt::format("x{}", c.inner) : "", c.type);
    const char* ending = kEndings[static_cast<int>(format)];
    std::error_code failed;
    std::filesystem::path file = folder / fmt::format("{}.{}", name, ending);
    for (int i = 2; std::filesystem::exists(file, failed); ++i)
        file = folder / fmt::format("{}-{}.{}", name, i, ending);
    return file;
}

// The chart as it is shown, under its title.
Drawing titled(App& app, const Measure& measure) {
    const Charts& c = charts(app);
    Drawing chart = draw_chart(c.input, c.width, c.height, c.drawn_window, measure).drawing;
    Drawing whole;
    whole.width = std::max(chart.width, measure(chart_title(app), kTitlePoints, Font::bold));
    float height = 1.6f * kTitlePoints;
    whole.text({0, 0, whole.width, height}, chart_title(app), kTitlePoints, Fill::of(Ink::text),
               Align::left, Font::bold);
    whole.add(chart, {0, height + 4});
    whole.height = height + 4 + chart.height;
    return framed(whole, kMargin);
}

void write_into(App& app, ChartFormat format, const std::string& bytes) {
    try {
        std::filesystem::path file = free_name(app, expanded(charts(app).folder), format);
        write_file(file, bytes);
        app.toast = {"Saved " + file.string()};
    } catch (const std::exception& error) {  // Error, or a folder that cannot be looked at
        app.notices.insert(app.notices.begin(), std::string("The chart was not saved: ") +
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
    const Choice& c = app.choice;
    auto number = [](int64_t value) { return with_thousands(static_cast<uint64_t>(value)); };
    return fmt::format("{}: {}, {}\u00a0×\u00a0{}{} {}", chart_kinds()[app.charts->chosen].title,
                       app.stage().title, number(c.rows), number(c.cols),
                       c.product ? "\u00a0×\u00a0" + number(c.inner) : "", c.type);
}

std::string chart_text(App& app, ChartFormat format) {
    if (format == ChartFormat::csv) return chart_csv(charts(app).input, chart_title(app));
    // Other programs have other fonts: laid out for the widest.
    return svg(titled(app, measure_approximately), *look().palette, chart_title(app));
}

void save_chart(App& app, ChartFormat format) {
    if (charts(app).folder.empty()) charts(app).folder = pictures_folder().string();
    if (format == ChartFormat::png)
        charts(app).save_wanted = format;
    else
        write_into(app, format, chart_text(app, format));
}

void copy_chart(App& app, ChartFormat format) {
    ImGui::SetClipboardText(chart_text(app, format).c_str());
    app.toast = {format == ChartFormat::csv ? "Copied the table" : "Copied the picture as SVG"};
}

void save_pending_chart(App& app) {
    if (!app.charts || !app.charts->save_wanted) return;
    app.charts->save_wanted.reset();
    float fineness = std::max(kLeastFineness, look().pixels_per_point());
    std::string png = picture_of(fineness, [&] { return titled(app, window_measure()); });
    write_into(app, ChartFormat::png, png);
}

}  // namespace lanewise::ui
