// Writes every figure with hand-made data as SVG files, to look at: gallery FOLDER [THEME].
#include <cstdio>

#include "base/error.h"
#include "base/files.h"
#include "examples.h"
#include "figure/drawing/svg.h"

namespace lanewise {

static void write(const std::filesystem::path& folder, const std::string& name, float width,
                  const std::string& theme, const Drawing& drawing) {
    std::string file = name + "_" + std::to_string(static_cast<int>(width)) + "_" + theme + ".svg";
    write_file(folder / file, svg(framed(drawing, 16), palette(theme), name));
}

static void write_gallery(const std::filesystem::path& folder, const std::string& theme) {
    for (float width : {360.0f, 500.0f, 900.0f, 1400.0f}) {
        for (const NamedWarp& named : warp_examples()) {
            Example made = example(named.access);
            write(folder, "warp_" + named.name, width, theme,
                  warp_figure(warp_input(named, made, width), measure_approximately));
        }
        for (const NamedBanks& named : bank_examples()) {
            Example made = example(named.access);
            std::string lane = named.tile.lane >= 0 ? "_lane" : "";
            write(folder, "banks_" + named.name + lane, width, theme,
                  bank_figure(bank_input(named, made, width), measure_approximately));
        }
        write(folder, "ladder", width, theme,
              ladder_figure(ladder_example(width), measure_approximately));
    }
}

}  // namespace lanewise

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: gallery FOLDER [dark|light|projector]\n", stderr);
        return 2;
    }
    try {
        lanewise::write_gallery(argv[1], argc > 2 ? argv[2] : "dark");
    } catch (const lanewise::Error& error) {
        std::fprintf(stderr, "gallery: %s\n", error.what());
        return static_cast<int>(error.status());
    }
    return 0;
}
