#include "lab/report/slides_page.h"

#include <fmt/format.h>

#include "base/error.h"
#include "course/lesson_lint.h"
#include "course/slides.h"
#include "figure/drawing/svg.h"
#include "lab/report/page_parts.h"
#include "lab/report/slide_pictures.h"

namespace lanewise {
namespace {

using Kind = LessonSlide::Kind;

// A screen each, sixteen to nine on paper; every size follows the screen's height.
constexpr const char* kDeckStyle = R"(
html{scroll-snap-type:y mandatory}
body{margin:0;background:var(--background);color:var(--text);font-family:Inter,"DejaVu Sans",system-ui,sans-serif}
.slide{box-sizing:border-box;height:100vh;padding:5vh 5vw 4vh;display:flex;flex-direction:column;gap:2vh;
scroll-snap-align:start;overflow:hidden;position:relative;break-after:page;break-inside:avoid}
.words{display:flex;flex-direction:column;gap:2vh}.title .words{margin:auto 0}
.slide.beside{flex-direction:row;gap:4vw}.beside .words{flex:0 0 34vw}.beside.noted{flex-wrap:wrap}
.slide h1{font-size:8vh;line-height:1.1;margin:0}.slide.title p{font-size:4vh;max-width:36em}
h2{font-size:5.4vh;line-height:1.15;margin:0}p{font-size:3.3vh;line-height:1.35;margin:0;max-width:44em}
.moment{font-size:2.8vh;color:var(--text-dim)}
.picture{flex:1;min-height:0;display:flex;flex-direction:column;gap:1.5vh;justify-content:center}
figure{flex:1;min-height:0;margin:0}figure svg{width:100%;height:100%}
ol{list-style:upper-alpha;font-size:4vh;line-height:1.3;margin:0;padding-left:1.6em}ol li{padding:.3vh .4em}
li.right{color:var(--good);font-weight:600}li.right::after{content:"  \2713"}
table.code{font:2.5vh/1.5 "JetBrains Mono","DejaVu Sans Mono",monospace;background:var(--panel);
border-collapse:collapse;width:100%}table.code td{padding:0 1em;white-space:pre-wrap;vertical-align:top}
table.code td:first-child{color:var(--text-dim);text-align:right;width:2em}
tr.marked td{background:color-mix(in srgb,var(--accent) 22%,transparent);font-weight:600}
.picture h3{display:none}.wide table{border-collapse:collapse;font-size:2.8vh}
.wide th,.wide td{padding:.5vh 1.2em;text-align:left;border-bottom:1px solid var(--grid)}
.wide td.n,.wide th.n{text-align:right;font-variant-numeric:tabular-nums}.warn{color:var(--warn)}
.wide caption{caption-side:bottom;text-align:left;color:var(--text-dim);padding-top:1vh}
code{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace}
.number{position:absolute;right:2vw;bottom:2vh;font-size:2vh;color:var(--text-dim)}
.slide.noted{height:auto;min-height:100vh}.slide.noted .picture{height:60vh;flex:none}
.notes{border-top:1px solid var(--border);padding-top:1.5vh}.notes p{font-size:2.5vh;color:var(--text-dim)}
@page{size:320mm 180mm;margin:0}
)";

std::string choices_html(const LessonSlide& slide) {
    if (slide.choices.empty()) return {};
    std::string items;
    for (size_t i = 0; i < slide.choices.size(); ++i)
        items += fmt::format("<li{}>{}</li>",
                             static_cast<int>(i) == slide.right ? " class=\"right\"" : "",
                             escaped(slide.choices[i]));
    return "<ol>" + items + "</ol>\n";
}

std::string slide_html(const LessonSlide& slide, size_t number, const SlideOptions& options) {
    const bool is_title = slide.kind == Kind::title;
    const bool noted = options.notes && options.answers && !slide.notes.empty();
    const bool is_beside = slide.picture.find(kTallFigure) != std::string::npos;
    std::string html =
        fmt::format("<section class=\"slide{}{}{}\">\n<div class=\"words\">\n",
                    is_title ? " title" : "", noted ? " noted" : "", is_beside ? " beside" : "");
    const char* head = is_title ? "h1" : "h2";
    if (!slide.title.empty()) html += fmt::format("<{0}>{1}</{0}>\n", head, escaped(slide.title));
    html += paragraph(slide.say) + choices_html(slide);
    html += paragraph(slide.explain) + "</div>\n";
    if (!slide.picture.empty()) html += "<div class=\"picture\">" + slide.picture + "</div>\n";
    if (noted) html += "<aside class=\"notes\">" + paragraph(slide.notes) + "</aside>\n";
    return html + fmt::format("<div class=\"number\">{}</div></section>\n", number);
}

// Where the pictures of a slide are made: at its scene's setting.
Scene scene_of(const Slide& slide) {
    Scene scene;
    scene.title = slide.title;
    scene.say = slide.say;
    scene.show = slide.show;
    scene.set = slide.set;
    scene.state = slide.state;
    return scene;
}

// Each slide as it is printed: a question a second time with its answer, a scene that moves once for
// each of its moments.
class Deck {
  public:
    Deck(SlidePictures& pictures, const SlideOptions& options)
        : pictures_(pictures), options_(options) {}

    void add(const Slide& slide) {
        if (slide.kind == Slide::Kind::question) return ask(slide);
        LessonSlide words = words_of(slide);
        if (slide.kind == Slide::Kind::title) words.kind = Kind::title;
        if (slide.kind == Slide::Kind::task) words.kind = Kind::task;
        for (const std::string& picture : shown(slide, slide.show)) {
            slides_.push_back(words);
            slides_.back().picture = picture;
        }
    }
    std::vector<LessonSlide> take() { return std::move(slides_); }

  private:
    static LessonSlide words_of(const Slide& slide) {
        LessonSlide words;
        words.title = slide.title;
        words.say = slide.say;
        words.notes = slide.notes;
        return words;
    }

    // A handout has the source and no picture: most of them tell what is asked.
    std::vector<std::string> shown(const Slide& slide, const std::string& link) {
        std::vector<std::string> all;
        if (!link.empty() && (options_.answers || link.starts_with("code:")))
            all = pictures_.of(scene_of(slide), link);
        if (all.empty()) all.emplace_back();
        return all;
    }

    void ask(const Slide& asked) {
        const Prediction& question = asked.question;
        LessonSlide slide = words_of(asked);
        slide.kind = Kind::question;
        if (!asked.of_scene) slide.title = "Predict";
        slide.say = question.question;
        slide.choices = question.choices;
        slide.picture = shown(asked, asked.show).front();
        slides_.push_back(slide);
        if (!options_.answers) return;
        const std::optional<size_t> right =
            right_choice(question, asks_for_number(question)
                                       ? pictures_.counted(scene_of(asked), question.answer)
                                       : std::nullopt);
        slide.kind = Kind::answer;
        slide.right = right ? static_cast<int>(*right) : -1;
        slide.explain = question.explain;
        slide.notes.clear();
        if (asked.of_scene && !asked.reveal.empty() && asked.reveal != asked.show)
            slide.picture = shown(asked, asked.reveal).front();
        slides_.push_back(std::move(slide));
    }

    SlidePictures& pictures_;
    const SlideOptions& options_;
    std::vector<LessonSlide> slides_;
};

}  // namespace

std::vector<LessonSlide> lesson_slides(const Catalogue& catalogue, const Stage& stage,
                                       const std::vector<Recording>& recordings,
                                       const SlideOptions& options) {
    palette(options.theme);  // throws for one that there is not
    const std::filesystem::path file = lesson_path(catalogue, stage);
    const Lesson lesson = read_lesson(file, stage.id);
    if (!lesson.error.empty()) throw Error(Status::bad_input, lesson.error);
    const std::vector<Scene> scenes = read_scenes(file);
    if (scenes.empty())
        throw Error(Status::bad_input, fmt::format("the lesson of {} has no scenes to show: write "
                                                   "[[scene]] tables in its head, or take "
                                                   "lanewise-engine lesson {}",
                                                   stage.id, stage.id));
    SlidePictures pictures(catalogue, stage, recordings);
    Deck deck(pictures, options);
    for (const Slide& slide : slides_of(lesson, scenes)) deck.add(slide);
    return deck.take();
}

std::string slides_html(const std::string& title, const std::vector<LessonSlide>& slides,
                        const SlideOptions& options) {
    std::string body;
    size_t number = 0;
    for (const LessonSlide& slide : slides) body += slide_html(slide, ++number, options);
    return fmt::format(
               "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
               "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>{}</title>\n<style>:root{{{}}}{}</style></head>\n<body>\n",
               escaped(title), css_variables(palette(options.theme)), kDeckStyle) +
           body + "</body></html>\n";
}

std::string slides_file(const Stage& stage) {
    return stage.operation + "-" + stage.path.stem().string() + "-slides.html";
}
std::string guide_file(const Stage& stage) {
    return stage.operation + "-" + stage.path.stem().string() + "-guide.html";
}

}  // namespace lanewise
