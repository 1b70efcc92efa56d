#include "hub/engine_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "service/protocol.h"

namespace lanewise {

namespace {

constexpr double kSilence_s = 90;     // an engine beats twice a second, unless it is not at work
constexpr double kSecondsAtOnce = 5;  // so much of a second's rate may come at once
constexpr uint64_t kMebibyte = 1u << 20;
constexpr size_t kMostClassItems = 64;  // a question with its choices has 30

std::string error_frame(uint64_t id, Status status, const std::string& message, bool last) {
    return encode({{"type", "error"},
                   {"id", id},
                   {"status", static_cast<int>(status)},
                   {"message", message},
                   {"details", nullptr},
                   {"last", last}});
}

}  // namespace

std::string beat_frame() { return encode({{"type", "beat"}}); }

EngineSession::EngineSession(const ClassLimits& limits, double now_s)
    : limits_(limits),
      messages_(static_cast<double>(limits.messages_per_second),
                kSecondsAtOnce * static_cast<double>(limits.messages_per_second)),
      bytes_(1024.0 * static_cast<double>(limits.kilobytes_per_second),
             1024.0 * kSecondsAtOnce * static_cast<double>(limits.kilobytes_per_second)),
      since_s_(now_s),
      heard_s_(now_s),
      start_patience_s_(kSilence_s) {}

EngineSession::Taken EngineSession::take(std::string_view message, double now_s) {
    double wait =
        std::max(messages_.take(1, now_s), bytes_.take(static_cast<double>(message.size()), now_s));
    Taken taken;
    auto seen = glance_at(message);
    if (!seen)
        taken.broken = "a message is damaged: each must be one frame of the engine's protocol";
    else if (seen->type == "request" && seen->id && !seen->method.empty())
        taken = take_request(*seen);
    else if (seen->type == "cancel" && seen->id)
        taken.passes = open_.count(*seen->id) > 0;
    else if (seen->type == "class" && seen->items <= kMostClassItems)
        taken.for_class = true;
    else if (seen->type != "beat")
        taken.broken = "a message is none that an engine takes";
    taken.wait_s = wait;
    return taken;
}

EngineSession::Taken EngineSession::take_request(const FrameGlance& seen) {
    Taken taken;
    uint64_t id = *seen.id;
    if (open_.count(id)) {
        taken.broken = "two requests have one number";
    } else if (static_cast<int64_t>(open_.size()) >= limits_.open_requests) {
        taken.reply =
            error_frame(id, Status::bad_input,
                        fmt::format("{} requests wait for an answer already: wait for one, or "
                                    "cancel it",
                                    open_.size()),
                        false);
    } else {
        open_[id].method = seen.method;
        if (!seen.stage.empty()) stage_ = seen.stage;
        taken.passes = true;
    }
    return taken;
}

void EngineSession::heard(std::string_view bytes, double now_s) {
    heard_s_ = now_s;
    cutter_.feed(bytes);
}

std::optional<std::string> EngineSession::next_for_browser() {
    while (auto frame = cutter_.next()) {
        auto seen = glance_at(*frame);
        if (!seen) throw Error(Status::bad_input, "the engine sent a message that is damaged");
        has_greeted_ |= seen->type == "hello";
        if (seen->type == "beat") continue;
        note_answer(*seen);
        return frame;
    }
    return std::nullopt;
}

void EngineSession::note_answer(const FrameGlance& seen) {
    if (!seen.id) return;
    if (seen.type == "result" || seen.type == "error") open_.erase(*seen.id);
    auto found = open_.find(*seen.id);
    if (seen.type == "progress" && found != open_.end()) found->second.what = seen.what;
}

std::string EngineSession::look_at(const ProcessUse& use, double now_s) {
    double cpu_s = std::max(use_.cpu_s, use.cpu_s);  // what a worker used stays used
    newly_used_s_ = cpu_s - use_.cpu_s;
    use_ = use;
    use_.cpu_s = cpu_s;
    if (use_.resident_bytes > static_cast<uint64_t>(limits_.memory_megabytes) * kMebibyte)
        return fmt::format(
            "your engine had {} of memory, and a student may have {}: choose fewer rows "
            "or columns",
            in_bytes(use_.resident_bytes),
            in_bytes(static_cast<uint64_t>(limits_.memory_megabytes) * kMebibyte));
    if (cpu_s > static_cast<double>(limits_.cpu_s))
        return fmt::format(
            "your engine has used {:.0f} seconds of a processor, and a student may use {} "
            "at a time: choose fewer rows or columns",
            cpu_s, limits_.cpu_s);
    if (now_s - heard_s_ > (has_greeted_ ? kSilence_s : start_patience_s_))
        return "your engine showed no sign of life";
    return "";
}

// Again and again, because new processes and threads come.
void EngineSession::give_way(int nice) {
    if (nice > 0 || nice_ > 0) let_give_way(use_.processes, nice);
    nice_ = nice;
}

std::vector<std::string> EngineSession::farewells(const std::string& why) const {
    std::vector<std::string> frames;
    for (auto& [id, request] : open_)
        frames.push_back(error_frame(id, Status::failed_check, why, true));
    return frames;
}

}  // namespace lanewise
