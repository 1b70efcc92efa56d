// slides: the scenes of lessons as slides, and a guide for the teacher. Needs no GPU.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/child_process.h"
#include "compile/temporary_folder.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/report/slides_page.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::array kBrowsers = {"chromium", "chromium-browser", "google-chrome",
                                  "google-chrome-stable", "microsoft-edge"};
constexpr std::chrono::minutes kLongestPrint{2};

struct SlidesOptions {
    std::vector<std::string> stages;
    std::string out = "slides";
    SlideOptions slides;
    bool without_answers = false, guide = false, pdf = false;
    bool html = true;  // always
};

std::string browser() {
    const char* path = std::getenv("PATH");
    for (const char* name : kBrowsers)
        for (std::string_view folder : split(path ? path : "", ':')) {
            const fs::path file = fs::path(folder) / name;
            std::error_code ignored;
            if (!folder.empty() && fs::is_regular_file(file, ignored)) return file.string();
        }
    throw Error(Status::bad_input,
                "--pdf needs Chromium or Chrome, and neither is installed: install chromium, or "
                "print the .html to PDF in any browser, a slide to a sheet");
}

// What a browser prints of the page.
void print_pdf(const std::string& browser, const fs::path& html, const fs::path& pdf) {
    const TemporaryFolder profile;
    std::vector<std::string> words = {browser,
                                      "--headless",
                                      "--disable-gpu",
                                      "--no-first-run",
                                      "--disable-background-networking",
                                      "--disable-component-update",
                                      "--disable-sync",
                                      "--no-pdf-header-footer",
                                      "--user-data-dir=" + profile.path.string(),
                                      "--print-to-pdf=" + fs::absolute(pdf).string()};
    if (::geteuid() == 0) words.emplace_back("--no-sandbox");  // it refuses root otherwise
    words.push_back(fs::absolute(html).string());
    const ChildResult result = run_child(words, "", kLongestPrint);
    if (result.status != 0 || !fs::exists(pdf))
        throw Error(Status::bad_input, fmt::format("{} printed no PDF of {}: print that page in a "
                                                   "browser instead",
                                                   browser, html.string()));
}

void write_slides(SlidesOptions options) {
    const std::string prints = options.pdf ? browser() : "";
    const Catalogue catalogue = load_catalogue();
    const std::vector<Recording> recordings = known_recordings(catalogue);
    options.slides.answers = !options.without_answers;
    auto put = [&](const fs::path& name, const std::string& html) {
        const fs::path file = fs::path(options.out) / name;
        write_file(file, html);
        fmt::print("{}\n", file.string());
        if (prints.empty()) return;
        const fs::path pdf = fs::path(file).replace_extension(".pdf");
        print_pdf(prints, file, pdf);
        fmt::print("{}\n", pdf.string());
    };
    for (const std::string& name : options.stages) {
        const Stage& stage = catalogue.find(name);
        const std::vector<LessonSlide> slides =
            lesson_slides(catalogue, stage, recordings, options.slides);
        put(slides_file(stage), slides_html(slides.front().title, slides, options.slides));
        if (options.guide) put(guide_file(stage), guide_html(catalogue, stage, slides));
    }
}

}  // namespace

static void add_slides(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "slides", "write a lesson's scenes as slides, and a guide for the teacher");
    auto options = std::make_shared<SlidesOptions>();
    command->add_option("stages", options->stages, "which lessons")->required();
    command->add_option("--out", options->out, "the folder to write")->capture_default_str();
    command->add_option("--theme", options->slides.theme, "dark, light or projector")
        ->capture_default_str();
    command->add_flag("--notes", options->slides.notes,
                      "below each slide what is not for the class");
    command->add_flag("--without-answers", options->without_answers,
                      "a handout: questions and source, without answers, pictures and notes");
    command->add_flag("--guide", options->guide,
                      "the teacher's guide, too: time, beliefs, answers, hints");
    command->add_flag("--html", options->html,
                      "as HTML, which any browser shows and prints; always written");
    command->add_flag("--pdf", options->pdf, "as PDF, too, printed by Chromium or Chrome");
    command->callback([options] { write_slides(*options); });
}
static const CommandRow kSlides("slides", "lesson", add_slides, Compiles::yes);

}  // namespace lanewise
