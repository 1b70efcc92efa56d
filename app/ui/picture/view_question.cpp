// The open prediction in the middle, in place of every picture that would answer it: the question,
// its choices, and the kernel that it is about.
#include "ui/code/code_panes.h"
#include "ui/desk/words.h"
#include "ui/kit/widgets.h"
#include "ui/path/calibration.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kQuestion{20, Ink::text, Font::bold};
constexpr TextStyle kCode{12, Ink::text, Font::mono};
constexpr int kLeastLines = 3;

struct KernelLines {
    int first = 0, last = 0, marked = 0;  // 0: there is no kernel
};

// The kernel without the comment at its head, which tells what it is good at, and the line that
// differs from the stage before, which its author has marked.
KernelLines kernel_lines(const std::vector<std::string>& lines) {
    KernelLines found;
    for (size_t i = 0; i < lines.size(); ++i) {
        const auto number = static_cast<int>(i) + 1;
        const std::string& text = lines[i];
        const bool begins = text.find("__global__") != text.npos || text.starts_with("template");
        if (begins && found.first == 0) found.first = number;
        if (found.first && found.marked == 0 && text.find("// <-") != text.npos)
            found.marked = number;
        if (found.first && text.starts_with("}")) found.last = number;
    }
    return found;
}

void draw_kernel(const App& app, float above) {
    static KernelLines kernel;
    static size_t of = 0;  // only one window draws; the text is the stage's as it is shipped
    if (of != app.chosen().stage + 1) kernel = kernel_lines(app.derived.source.lines);
    of = app.chosen().stage + 1;
    const float room = ImGui::GetContentRegionAvail().y;
    const int fit = static_cast<int>((room - px(40)) / line_height(kCode));
    if (kernel.first == 0 || fit < kLeastLines) return;
    gap(above);
    line(frame_text("THE KERNEL, {}", app.stage().file), kCaption);
    gap(4);
    const int most = kernel.first + fit - 1;
    const int around = kernel.marked > most ? kernel.marked - fit / 2 : kernel.first;
    draw_source_lines(app, around, std::min(kernel.last, around + fit - 1), kernel.marked);
}

}  // namespace

// Asked before the guess, since one is always sure afterwards. May be left out.
void draw_confidence(App& app) {
    line("How sure are you?", kDim);
    gap(2);
    for (const Confidence& each : kConfidences) {
        if (&each != kConfidences) flow(each.word);
        if (button(joined("confidence:", each.word), each.word,
                   {.kind = ButtonKind::choice,
                    .selected = app.learner.confidence == each.percent,
                    .tooltip = frame_text("{} %", each.percent)}))
            app.learner.confidence = app.learner.confidence == each.percent ? 0 : each.percent;
    }
    gap(8);
}

void draw_question(App& app) {
    const Prediction& asked = asked_prediction(app);
    line("PREDICT FIRST", kCaption);
    gap(6);
    draw_words(app, asked.question, kQuestion);
    gap(10);
    draw_confidence(app);
    for (size_t i = 0; i < asked.choices.size(); ++i) {
        if (i) flow(asked.choices[i]);
        if (button(joined("ask:", asked.choices[i]), asked.choices[i],
                   {.kind = ButtonKind::primary}))
            return predict(app, static_cast<int>(i));
    }
    gap(10);
    paragraph(
        "Your answer brings the picture, the counts and the times. A wrong guess costs nothing.",
        kDim);
    gap(6);
    if (button("show answer", "Show them without a guess",
               {.tooltip = "Of this stage, until you close Lanewise."}))
        return show_answer(app);
    draw_kernel(app, 16);
}

void draw_asked_kernel(const App& app) {
    paragraph(
        "Read it, then answer on the left. The picture, the counts and the times come with your "
        "answer.",
        kDim);
    draw_kernel(app, 10);
}

}  // namespace lanewise::ui
