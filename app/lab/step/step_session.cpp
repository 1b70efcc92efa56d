#include "lab/step/step_session.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "lab/step/step_words.h"

namespace lanewise {

namespace {

// What a block may take to be known as a whole: long ones are shown without their end.
constexpr double kMostSeconds = 1;
constexpr uint64_t kBlockStepsAtOnce = 100'000;

}  // namespace

StepSession::StepSession(const Job& job, const Debugger::Options& options)
    : commands_(job, options), first_block_(options.recording.first_block) {}

void StepSession::go_to(const StepPosition& position) {
    Debugger& debugger = commands_.debugger();
    if (debugger.recording().now() != position.at)
        debugger.to_moment(position.at, position.warp);
    else if (debugger.warp() != position.warp)
        debugger.to_warp(position.warp);
}

// Those that are no longer asked for go, new ones come; the others keep their number and their hits.
void StepSession::set_breaks(const std::vector<std::string>& asked, StepShown& shown) {
    Debugger& debugger = commands_.debugger();
    std::erase_if(numbers_, [&](const auto& each) {
        if (std::find(asked.begin(), asked.end(), each.first) != asked.end()) return false;
        debugger.remove_breakpoint(each.second);
        return true;
    });
    for (const std::string& text : asked) {
        StepBreak& made = shown.breaks.emplace_back();
        made.asked = text;
        if (!numbers_.contains(text)) {
            StepReply reply = commands_.run("break " + text);
            made.error = error_in_words(reply.error);
            shown.reply.notes.insert(shown.reply.notes.end(), reply.notes.begin(),
                                     reply.notes.end());
            if (reply.error.empty()) numbers_[text] = reply.breakpoints.front().number;
        }
        if (auto known = numbers_.find(text); known != numbers_.end()) made.number = known->second;
    }
}

// The block runs to its end once, and everything is as it was.
const StepSession::Length& StepSession::length_of_block() {
    Debugger& debugger = commands_.debugger();
    LaunchRecording& recording = debugger.recording();
    const StepPosition here{recording.now(), debugger.warp()};
    auto [place, is_new] = lengths_.try_emplace(here.at.block);
    Length& length = place->second;
    if (!is_new || recording.never_ends()) return length;
    debugger.to_moment({here.at.block, 0}, here.warp);
    const auto began = std::chrono::steady_clock::now();
    auto is_late = [&] {
        std::chrono::duration<double> gone = std::chrono::steady_clock::now() - began;
        return gone.count() > kMostSeconds || (stop_ && stop_->load(std::memory_order_relaxed));
    };
    while (!recording.stepper().has_ended() && !is_late())
        recording.run(recording.now().step + kBlockStepsAtOnce);
    if (recording.stepper().has_ended() && !recording.never_ends())
        length.steps = recording.now().step;
    std::vector<StepFault> faults = recording.take_faults();
    if (!faults.empty() && faults.front().fault.kind != Fault::Kind::runaway)
        length.wrong = {{faults.front().at, faults.front().fault.thread / 32},
                        debugger.in_words(faults.front().fault)};
    debugger.to_moment(here.at, here.warp);
    return length;
}

// What is shown of every moment, whatever led there.
void StepSession::show_moment(const StepQuestion& question, StepShown& shown) {
    Debugger& debugger = commands_.debugger();
    const LaunchRecording& recording = debugger.recording();
    if (!shown.reply.place) shown.reply.place = commands_.run("where").place;
    shown.reply.values = commands_.run("values").values;
    for (const std::string& watch : question.watches) {
        StepReply reply = commands_.run("print " + watch);
        if (reply.values.empty())
            shown.reply.watches.push_back({watch, {}, error_in_words(reply.error), 0});
        else
            shown.reply.watches.push_back(std::move(reply.values.front()));
    }
    for (StepBreak& each : shown.breaks)
        for (const Breakpoint& set : debugger.breakpoints().all())
            if (set.number == each.number) {
                each.line = set.line;
                each.hits = set.hits;
            }
    for (uint32_t warp = 0; warp < recording.warps(); ++warp) {
        WarpLook look = recording.stepper().look(warp);
        const bool done = look.state == WarpLook::State::finished;
        shown.warps.push_back(
            {look.state, done ? 0 : debugger.sight().line_of(look.instruction), look.live});
    }
    shown.code_lines = debugger.sight().lines_with_code();
    shown.first_block = first_block_;
    shown.earliest = recording.earliest();
}

StepShown StepSession::answer(const StepQuestion& question, const std::atomic<bool>* stop) {
    stop_ = stop;
    commands_.debugger().stop_at(stop);
    StepShown shown;
    std::string refused;
    try {
        go_to(question.from);
    } catch (const Error& error) {
        refused = error.what();
    }
    set_breaks(question.breaks, shown);
    if (refused.empty() && !question.command.empty()) {
        std::vector<std::string> notes = std::move(shown.reply.notes);
        shown.reply = commands_.run(question.command);
        shown.reply.notes.insert(shown.reply.notes.begin(), notes.begin(), notes.end());
    } else {
        shown.reply.error = refused;
    }
    const Length& length = length_of_block();
    shown.steps = length.steps;
    shown.wrong = length.wrong;
    show_moment(question, shown);
    commands_.debugger().stop_at(nullptr);
    stop_ = nullptr;
    return shown;
}

}  // namespace lanewise
