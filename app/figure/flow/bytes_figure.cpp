#include "figure/flow/bytes_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kTitleRow = 20;  // of what is drawn
constexpr float kLabel = 15;     // a line of an amount
constexpr float kLeastBox = 50, kMostBox = 112;
constexpr float kLeastHeight = 150, kMostHeight = 1500;
constexpr float kLeastPipe = 1.5f;  // of what moves at all
constexpr float kBand = 30;         // for copies past the registers
constexpr double kHardly = 0.01;    // of what a pipe moves: not worth naming

const char* kNames[] = {"Shared memory", "Registers", "L1", "L2", "Memory"};

std::string amount(double bytes) { return in_bytes(static_cast<uint64_t>(std::llround(bytes))); }

bool stand_side_by_side(const BytesPipe& pipe) {
    return std::abs(static_cast<int>(pipe.from) - static_cast<int>(pipe.to)) == 1;
}

std::string percent(const BytesPipe& pipe) {
    const double share = 100 * pipe.vain / pipe.moved();
    return share > 99 && share < 100 ? "over 99 %" : fmt::format("{:.0f} %", share);
}

class BytesFigure {
  public:
    BytesFigure(const BytesFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        for (const BytesPipe& pipe : in_.pipes) {
            most_ = std::max(most_, pipe.moved());
            has_band_ |= !stand_side_by_side(pipe) && pipe.moved() > 0;
        }
        shape();
    }

    Drawing draw() {
        draw_words();
        for (const BytesPipe& pipe : in_.pipes)
            if (pipe.moved() > 0 && !stand_side_by_side(pipe)) draw_over(pipe);
        for (int level = 0; level < kBytesLevels; ++level) draw_box(level);
        for (const BytesPipe& pipe : in_.pipes)
            if (stand_side_by_side(pipe)) draw_pipe(pipe);
        figure_.height = boxes_.y + boxes_.h + 2;
        draw_legend();
        return std::move(figure_);
    }

  private:
    void shape() {
        words_ = wrapped(words_of(in_), in_.width, kTitleSize, Font::bold, measure_);
        const float legend = 2 * line_height(kNoteSize) + 8;
        const float top =
            (in_.title.empty() ? 0 : kTitleRow) + words_height() + (has_band_ ? kBand : 4);
        const float height = std::clamp(in_.height - top - legend, kLeastHeight, kMostHeight);
        box_width_ = std::clamp(in_.width * 0.1f, kLeastBox, kMostBox);
        gap_ = (in_.width - 2 - kBytesLevels * box_width_) / (kBytesLevels - 1);
        boxes_ = {1, top, in_.width - 2, height};
        lane_ = (height - 4 * kLabel - 8) / 2;
        name_size_ = std::max(kSmallest, size_that_fits({0, 0, box_width_ - 6, 40}, "Registers",
                                                        kBodySize, Font::bold, measure_));
        shape_amounts();
    }
    float words_height() const {
        return static_cast<float>(words_.size()) * line_height(kTitleSize) + 4;
    }
    // All amounts have one size, and say as much as the widest has room for.
    void shape_amounts() {
        std::string widest, short_widest;
        auto longer = [&](const std::string& a, const std::string& b) {
            return measure_(a, kNoteSize, Font::bold) > measure_(b, kNoteSize, Font::bold);
        };
        for (const BytesPipe& pipe : in_.pipes) {
            if (!stand_side_by_side(pipe) || pipe.moved() <= 0) continue;
            for (bool brief : {false, true})
                for (const std::string& each : {amount_words(pipe, brief), vain_words(pipe, brief)})
                    if (std::string& kept = brief ? short_widest : widest; longer(each, kept))
                        kept = each;
        }
        const Box room{0, 0, gap_ - 2, 2 * kNoteSize};
        amount_size_ = size_that_fits(room, widest, kNoteSize, Font::bold, measure_);
        brief_ = amount_size_ < kNoteSize;
        if (brief_)
            amount_size_ = size_that_fits(room, short_widest, kNoteSize, Font::bold, measure_);
    }
    static std::string amount_words(const BytesPipe& pipe, bool brief) {
        const char* least = !pipe.at_least ? "" : brief ? "≥ " : "at least ";
        return least + amount(pipe.moved());
    }
    static std::string vain_words(const BytesPipe& pipe, bool brief) {
        if (pipe.vain <= kHardly * pipe.moved()) return "";
        return percent(pipe) + (brief ? "" : " wasted");
    }
    Box box_of(int level) const {
        return {boxes_.x + static_cast<float>(level) * (box_width_ + gap_), boxes_.y, box_width_,
                boxes_.h};
    }
    float thickness(double bytes) const {
        if (bytes <= 0 || most_ <= 0) return 0;
        return std::max(kLeastPipe, lane_ * static_cast<float>(bytes / most_));
    }

    void draw_words() {
        float y = 0;
        if (!in_.title.empty()) {
            figure_.text({0, 0, in_.width, kTitleRow - 2},
                         shortened(in_.title, in_.width, kNoteSize, Font::text, measure_),
                         kNoteSize, Fill::of(Ink::text_dim));
            y = kTitleRow;
        }
        const BytesPipe* worst = worst_pipe(in_);
        if (worst && worst->line > 0)
            figure_.hit({0, y, in_.width, words_height()}, "Shows the line",
                        fmt::format("line:{}", worst->line));
        for (const std::string& words : words_) {
            figure_.text({0, y, in_.width, line_height(kTitleSize)}, words, kTitleSize,
                         Fill::of(worst ? Ink::warn : Ink::good), Align::left, Font::bold);
            y += line_height(kTitleSize);
        }
    }

    void draw_box(int level) {
        const Box box = box_of(level);
        const bool used = std::any_of(in_.pipes.begin(), in_.pipes.end(), [&](const BytesPipe& p) {
            return p.moved() > 0 &&
                   (static_cast<int>(p.from) == level || static_cast<int>(p.to) == level);
        });
        Shape& shape = figure_.rect(box, Fill::of(Ink::panel),
                                    Fill::of(used ? Ink::text_dim : Ink::border), 6);
        shape.dashed = !used;
        const float inner = box.w - 6;
        float y = box.y + box.h / 2 - 22;
        for (const std::string& words :
             wrapped(kNames[level], inner, name_size_, Font::bold, measure_)) {
            figure_.text({box.x + 3, y, inner, line_height(kBodySize)}, words, name_size_,
                         Fill::of(used ? Ink::text : Ink::text_dim), Align::center, Font::bold);
            y += line_height(kBodySize);
        }
        const std::string& note = in_.notes[static_cast<size_t>(level)];
        for (const std::string& words : wrapped(note, inner, kNoteSize, Font::text, measure_)) {
            if (y + line_height(kNoteSize) > box.y + box.h - 3) break;
            figure_.text({box.x + 3, y, inner, line_height(kNoteSize)}, words, kNoteSize,
                         Fill::of(Ink::text_dim), Align::center);
            y += line_height(kNoteSize);
        }
    }

    // ---- between two boxes that stand side by side
    void draw_pipe(const BytesPipe& pipe) {
        const int left = std::min(static_cast<int>(pipe.from), static_cast<int>(pipe.to));
        const Box first = box_of(left);
        const float x0 = first.x + first.w, x1 = x0 + gap_;
        const bool above = pipe.is_load();
        const float lane = boxes_.y + (above ? 2 * kLabel + 2 : boxes_.h / 2 + 2);
        const float middle = lane + lane_ / 2;
        if (pipe.moved() <= 0) {
            figure_.line({x0, middle}, {x1, middle}, Fill::of(Ink::grid)).dashed = true;
            return;
        }
        draw_stream(pipe, {x0 + 1, middle - lane_ / 2, gap_ - 2, lane_}, pipe.to < pipe.from);
        draw_amount(pipe, x0, above ? boxes_.y : boxes_.y + boxes_.h - 2 * kLabel);
        figure_.hit({x0, boxes_.y + (above ? 0 : boxes_.h / 2), gap_, boxes_.h / 2}, hint(pipe),
                    pipe.line > 0 ? fmt::format("line:{}", pipe.line) : "");
    }

    // The useful part arrives as an arrow; what is in vain lies on both sides, and ends before it.
    void draw_stream(const BytesPipe& pipe, Box room, bool to_left) {
        const float core = thickness(pipe.useful), all = std::max(core, thickness(pipe.moved()));
        const float sheath = (all - core) / 2, middle = room.y + room.h / 2;
        const float tip = std::min({room.w * 0.45f, std::max(5.f, core * 0.5f), 18.f});
        const float begin = to_left ? room.x + room.w : room.x;
        const float end = to_left ? room.x : room.x + room.w;
        const float towards = to_left ? -1.f : 1.f;
        if (pipe.vain > 0 && sheath > 0.2f) {
            const float length = (room.w - tip) * 0.9f;
            for (const float top : {middle - core / 2 - sheath, middle + core / 2}) {
                const Box box{to_left ? begin - length : begin, top, length, sheath};
                figure_.rect(box, Fill::of(Ink::warn, 0.8f));
                if (sheath >= 5) hatch(figure_, box, Fill::of(Ink::background, 0.55f), 5);
            }
        }
        const Fill ink = Fill::of(Ink::useful, pipe.at_least ? 0.45f : 1);
        const float half = core / 2, wing = std::max(half, 3.5f), base = end - towards * tip;
        if (wing > half) {  // a thin stream has a head wider than itself
            figure_.rect({std::min(begin, base), middle - half, room.w - tip, core}, ink);
            figure_.polygon({{base, middle - wing}, {end, middle}, {base, middle + wing}}, ink);
            return;
        }
        figure_.polygon({{begin, middle - half},
                         {base, middle - half},
                         {end, middle},
                         {base, middle + half},
                         {begin, middle + half}},
                        ink);
    }

    void draw_amount(const BytesPipe& pipe, float x, float y) {
        if (amount_size_ <= 0) return;
        const float room = gap_ - 1;
        figure_.text({x + 0.5f, y, room, kLabel}, amount_words(pipe, brief_), amount_size_,
                     Fill::of(Ink::text), Align::center, Font::bold);
        const std::string vain = vain_words(pipe, brief_);
        if (!vain.empty())
            figure_.text({x + 0.5f, y + kLabel, room, kLabel}, vain, amount_size_,
                         Fill::of(Ink::warn), Align::center, Font::bold);
    }

    std::string hint(const BytesPipe& pipe) const {
        std::string words =
            fmt::format("{} to {}: {}{}", kNames[static_cast<int>(pipe.from)], name_of(pipe.to),
                        pipe.at_least ? "at least " : "", amount(pipe.moved()));
        if (pipe.vain > 0) words += fmt::format(", {} of it wasted", amount(pipe.vain));
        return pipe.tooltip.empty() ? words : words + "\n" + pipe.tooltip;
    }

    // ---- over the boxes: copies past the registers
    void draw_over(const BytesPipe& pipe) {
        const Box from = box_of(static_cast<int>(pipe.from)),
                  to = box_of(static_cast<int>(pipe.to));
        const float thick = std::min(thickness(pipe.moved()), kBand * 0.4f);
        const bool load = pipe.is_load() || pipe.to == BytesLevel::shared;
        const float side = load ? -0.2f : 0.2f;  // both ways do not lie on each other
        const float x0 = from.x + from.w * (0.5f + side), x1 = to.x + to.w * (0.5f + side);
        const float y = boxes_.y - kBand * (load ? 0.85f : 0.45f);
        const Fill ink = Fill::of(Ink::useful);
        const float low = std::min(x0, x1), high = std::max(x0, x1);
        figure_.rect({low - thick / 2, y, high - low + thick, thick}, ink);
        figure_.rect({x0 - thick / 2, y, thick, boxes_.y - y}, ink);
        figure_.rect({x1 - thick / 2, y, thick, std::max(1.f, boxes_.y - y - 6)}, ink);
        const float wing = std::max(thick, 4.f);
        figure_.polygon({{x1 - wing, boxes_.y - 6}, {x1 + wing, boxes_.y - 6}, {x1, boxes_.y}},
                        ink);
        const float left = box_of(1).x, room = box_of(2).x - left - 4;
        std::string words = "past the registers: " + amount(pipe.moved());
        if (load)
            text_if_it_fits(figure_, {left, y + thick, room, kLabel}, words, kNoteSize,
                            Fill::of(Ink::text), measure_, Align::left, Font::bold);
        figure_.hit({low, y - 2, high - low, thick + 4}, hint(pipe),
                    pipe.line > 0 ? fmt::format("line:{}", pipe.line) : "");
    }

    void draw_legend() {
        std::vector<LegendItem> items = {
            {Fill::of(Ink::useful), Fill::none(), false, "arrives and is used"},
            {Fill::of(Ink::warn, 0.8f), Fill::of(Ink::background, 0.55f), true,
             "moved and wasted"}};
        if (std::any_of(in_.pipes.begin(), in_.pipes.end(),
                        [](const BytesPipe& pipe) { return pipe.at_least; }))
            items.push_back({Fill::of(Ink::useful, 0.45f), Fill::none(), false,
                             "at least that: nothing counts it"});
        figure_.height =
            legend(figure_, {1, figure_.height + 6}, in_.width - 2, items, measure_) + 1;
    }

    const BytesFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    double most_ = 0;
    bool has_band_ = false;
    std::vector<std::string> words_;
    bool brief_ = false;
    float box_width_ = 0, gap_ = 0, lane_ = 0, name_size_ = 0, amount_size_ = 0;
    Box boxes_;
};

}  // namespace

const char* name_of(BytesLevel level) {
    static const char* names[] = {"shared memory", "the registers", "L1", "L2", "memory"};
    return names[static_cast<size_t>(level)];
}

const BytesPipe* worst_pipe(const BytesFigureInput& input) {
    const BytesPipe* worst = nullptr;
    for (const BytesPipe& pipe : input.pipes)
        if (pipe.vain > kHardly * pipe.moved() && (!worst || pipe.vain > worst->vain))
            worst = &pipe;
    return worst;
}

std::string words_of(const BytesFigureInput& input) {
    const bool moves = std::any_of(input.pipes.begin(), input.pipes.end(),
                                   [](const BytesPipe& pipe) { return pipe.moved() > 0; });
    if (!moves) return "This launch moves no bytes.";
    const BytesPipe* worst = worst_pipe(input);
    if (!worst) return "No byte is wasted.";
    std::string words = fmt::format("{} of what goes from {} to {} is wasted", percent(*worst),
                                    name_of(worst->from), name_of(worst->to));
    if (worst->line > 0) words += fmt::format(": line {}", worst->line);
    return words + ".";
}

Drawing bytes_figure(const BytesFigureInput& input, const Measure& measure) {
    return BytesFigure(input, measure).draw();
}

}  // namespace lanewise
