#include "service/pipe_connection.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "service/server.h"

namespace lanewise {

using namespace std::chrono_literals;

namespace {

constexpr size_t kLastWordsBytes = 4096;
constexpr size_t kLastWordsLines = 6;
// A greeting is a few hundred bytes. Text taken for a length is at least 0x09090909.
constexpr size_t kMaxGreetingBytes = 64 << 10;

// Every greeting's body starts with a map whose first key is "program" (protocol.h).
constexpr std::string_view kGreetingMark = "gprogram";
constexpr auto kBannerPatience = 8s;    // from the first text to the greeting
constexpr auto kPromptPatience = 2s;    // longer than a prompt stands before a program withdraws it
constexpr auto kSilenceLimit = 2500ms;  // an engine shows a sign of life twice a second
// One that is seen at work is waited for: it is the machine that has too much to do.
constexpr auto kBusyLimit = 30s;
constexpr auto kWorkSeen = 1s;  // so lately
constexpr auto kTick = 200ms;
constexpr auto kClientBeat = 1s;
constexpr int kSshFailed = 255;  // its exit status where not the command but the way to it failed

struct Hint {
    const char *said, *advice;
};
constexpr Hint kHints[] = {
    {"Permission denied",
     "No password can be typed here: log in with a key (ssh-copy-id HOST), until `ssh -o "
     "BatchMode=yes HOST true` works"},
    {"assword:",
     "No password can be typed here: log in with a key (ssh-copy-id HOST), until `ssh -o "
     "BatchMode=yes HOST true` works"},
    {"a password is required",
     "No password can be typed here: let the command start the engine without one (sudo -n, "
     "NOPASSWD)"},
    {"assphrase", "No passphrase can be typed here: load the key into ssh-agent (ssh-add)"},
    {"Host key verification failed", "Log in once by hand, to accept the host's key"},
    {": not found", "Give the full path of lanewise-engine on that machine"},
    {"command not found", "Give the full path of lanewise-engine on that machine"},
    {"No such file or directory", "Give the full path of lanewise-engine on that machine"},
    {"Could not resolve hostname", "Check the host's name"},
    {"Unable to allocate resources", "Slurm gives no GPU now: see sinfo and squeue"},
};

std::string hint_for(std::string_view text) {
    for (const Hint& hint : kHints)
        if (text.find(hint.said) != text.npos) return std::string("\n") + hint.advice;
    return "";
}

enum class Got { some, nothing_yet, end };

// A prompt that nobody can answer: it stands at the end, with no line break behind it.
bool is_waiting_for_an_answer(std::string_view said) {
    if (said.empty() || said.back() == '\n') return false;
    std::string_view line = said.substr(said.rfind('\n') + 1);
    for (std::string_view prompt : {"assword", "assphrase", "(yes/no", "erification code"})
        if (line.find(prompt) != line.npos) return true;
    return false;
}

// Appends what can be read at once.
Got read_some(int descriptor, std::string& into) {
    std::array<char, 64 << 10> bytes;
    ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count > 0) into.append(bytes.data(), static_cast<size_t>(count));
    if (count > 0) return Got::some;
    bool later = count < 0 && (errno == EAGAIN || errno == EINTR);
    return later ? Got::nothing_yet : Got::end;
}

std::string last_lines(std::string_view text) {
    auto lines = lines_of(trimmed(text));
    size_t first = lines.size() > kLastWordsLines ? lines.size() - kLastWordsLines : 0;
    std::string result;
    for (size_t i = first; i < lines.size(); ++i) result += "\n    " + std::string(lines[i]);
    return result;
}

// Of our own way to an address (hub/connect.h), which ends with one sentence for the user; "" where it has none.
std::string sentence_of_the_way(std::string_view said) {
    constexpr std::string_view kSays = "lanewise-engine: ";
    for (std::string_view line : lines_of(trimmed(said)))
        if (line.starts_with(kSays)) return std::string(trimmed(line.substr(kSays.size())));
    return "";
}

std::string printable_start(std::string_view text) {
    std::string result;
    for (char c : trimmed(text).substr(0, 80))
        result += c >= ' ' && c <= '~' ? c : c == '\n' ? ' ' : '?';
    return result;
}

}  // namespace

PipeConnection::PipeConnection(const std::vector<std::string>& command, Listener listener)
    : listener_(std::move(listener)),
      is_way_(command.size() > 1 && command[1] == "connect"),
      engine_(command),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      work_(engine_.id()),
      thread_([this] { converse(); }) {}

PipeConnection::~PipeConnection() {
    stop_ = true;
    ::eventfd_write(wake_.get(), 1);
    thread_.join();
}

void PipeConnection::send(const nlohmann::json& message) {
    std::string frame = encode(message);
    {
        std::lock_guard lock(mutex_);
        outgoing_ += frame;
    }
    ::eventfd_write(wake_.get(), 1);
}

bool PipeConnection::has_outgoing() {
    std::lock_guard lock(mutex_);
    return !outgoing_.empty();
}

void PipeConnection::converse() {
    std::string why;
    try {
        why = talk();
    } catch (const Error& error) {  // the engine speaks, but not our language
        engine_.kill();
        why = error.what();
    }
    if (lost_) engine_.kill();  // what is left of the way to it
    listener_.on_end(why, lost_);
}

std::string PipeConnection::talk() {
    while (!stop_) {
        beat_in_time();
        bool writing = greeted_ && has_outgoing();
        std::array<pollfd, 4> ready = {{{wake_.get(), POLLIN, 0},
                                        {engine_.output.get(), POLLIN, 0},
                                        {engine_.errors.get(), POLLIN, 0},
                                        {writing ? engine_.input.get() : -1, POLLOUT, 0}}};
        bool timed = beats_ || !before_greeting_.empty() || !last_words_.empty();
        int patience = timed ? static_cast<int>(std::chrono::milliseconds(kTick).count()) : -1;
        if (::poll(ready.data(), ready.size(), patience) < 0 && errno != EINTR) break;
        if (ready[0].revents) {
            eventfd_t ignored;
            ::eventfd_read(wake_.get(), &ignored);
        }
        if (ready[2].revents) read_errors();
        std::string why;
        if (ready[1].revents && !read_output(why)) return why;
        if (ready[3].revents) write_input();
        check_silence();
        if (lost_) return why_lost_;
    }
    return "the engine was closed";
}

bool PipeConnection::read_output(std::string& why) {
    std::string bytes;
    Got got = read_some(engine_.output.get(), bytes);
    if (got == Got::end) {
        why = describe_end();
        return false;
    }
    last_heard_ = std::chrono::steady_clock::now();
    if (greeted_) {
        decoder_.feed(bytes);
    } else {
        before_greeting_ += bytes;
        check_greeting();
    }
    while (auto message = decoder_.next()) {
        if (!greeted_ && (*message)["type"] != "hello")
            throw Error(Status::bad_input, "the engine did not greet first");
        int protocol = greeted_ ? kProtocolVersion : message->value("protocol", 0);
        if (protocol != kProtocolVersion)
            throw Error(Status::bad_input,
                        "the engine is version " + message->value("version", "unknown") +
                            " and speaks another protocol than this program, version " +
                            program_version() + ": " +
                            (protocol > kProtocolVersion
                                 ? "update this program"
                                 : "update lanewise-engine on the machine that runs it"));
        if (!greeted_ && !banner_.empty()) (*message)["banner"] = banner_;
        if (!greeted_) wants_beats_ = message->value("wants_beats", false);
        greeted_ = true;
        beats_ |= (*message)["type"] == "beat";
        if ((*message)["type"] == "beat") continue;
        listener_.on_message(std::move(*message));
    }
    return true;
}

// A login script's banner on stdout is the usual mishap with --engine "ssh …": it is skipped up to
// the greeting, which is recognised by how it starts.
void PipeConnection::check_greeting() {
    if (before_greeting_.size() < 4) return;
    size_t length = 0;
    for (size_t i = 4; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(before_greeting_[i]);
    if (length > kMaxGreetingBytes) {
        size_t mark = before_greeting_.find(kGreetingMark), head = 5;  // the length, the map's head
        if (mark == std::string::npos || mark < head) {
            if (before_greeting_.size() > kMaxGreetingBytes)
                throw Error(Status::bad_input, not_a_greeting());
            return;
        }
        banner_ = printable_start(std::string_view(before_greeting_).substr(0, mark - head));
        before_greeting_.erase(0, mark - head);
    }
    decoder_.feed(before_greeting_);
    before_greeting_.clear();
}

std::string PipeConnection::not_a_greeting() const {
    return "the engine's command printed something and then no greeting: \"" +
           printable_start(before_greeting_) +
           "\". Check the command: it must start `lanewise-engine serve`" +
           hint_for(before_greeting_ + last_words_);
}

void PipeConnection::check_silence() {
    auto silent = std::chrono::steady_clock::now() - last_heard_;
    if (!greeted_ && !before_greeting_.empty() && silent > kBannerPatience)
        throw Error(Status::bad_input, not_a_greeting());
    if (!greeted_ && silent > kPromptPatience && is_waiting_for_an_answer(last_words_))
        throw Error(Status::bad_input, "the engine's command asks: \"" +
                                           printable_start(last_lines(last_words_)) + "\"" +
                                           hint_for(last_words_));
    if (greeted_ && beats_) check_beats(silent);
}

// An engine that is at work but has no turn on a busy machine is no lost one.
void PipeConnection::check_beats(std::chrono::steady_clock::duration silent) {
    auto now = std::chrono::steady_clock::now();
    if (silent < kSilenceLimit / 2) {
        busy_said_ = false;
        return;
    }
    if (work_.look()) last_work_ = now;
    if (silent < kSilenceLimit) return;
    bool at_work = now - last_work_ < kWorkSeen;
    lost_ = !at_work || silent > kBusyLimit;
    if (lost_) {
        why_lost_ = "the connection to the engine was lost: nothing has been heard of it for " +
                    std::string(at_work ? "30 s, though it is at work" : "2.5 s");
    } else if (!std::exchange(busy_said_, true) && listener_.on_busy) {
        listener_.on_busy(
            "this machine is busy: the engine is at work, but gets no turn to answer");
    }
}

// Left out where something else is on its way already.
void PipeConnection::beat_in_time() {
    auto now = std::chrono::steady_clock::now();
    if (!wants_beats_ || now - last_beat_ < kClientBeat || has_outgoing()) return;
    last_beat_ = now;
    std::lock_guard lock(mutex_);
    outgoing_ += encode({{"type", "beat"}});
}

void PipeConnection::read_errors() {
    Got got = read_some(engine_.errors.get(), last_words_);
    if (got == Got::end) engine_.errors.close();  // poll skips a negative descriptor
    if (last_words_.size() > kLastWordsBytes)
        last_words_.erase(0, last_words_.size() - kLastWordsBytes);
}

void PipeConnection::write_input() {
    std::lock_guard lock(mutex_);
    ssize_t count = ::write(engine_.input.get(), outgoing_.data(), outgoing_.size());
    if (count > 0) outgoing_.erase(0, static_cast<size_t>(count));
    // An engine that no longer reads has ended or is about to; its stdout says so.
    if (count < 0 && errno != EAGAIN && errno != EINTR) outgoing_.clear();
}

std::string PipeConnection::describe_end() {
    auto ending = engine_.wait(500ms);
    if (!ending) engine_.kill();  // it closed its stdout, so that nobody can talk to it any more
    while (engine_.errors.is_open() && read_some(engine_.errors.get(), last_words_) == Got::some) {
    }
    std::string before = greeted_ ? "" : " before it greeted";
    std::string why =
        "the engine stopped" + before + " (" + ending.value_or("closed its output") + ")";
    if (decoder_.in_the_middle()) why += " in the middle of a message";
    std::string printed = greeted_ ? "" : printable_start(before_greeting_);
    if (!printed.empty()) why += ", after printing \"" + printed + "\"";
    std::string words = last_lines(last_words_);
    if (!words.empty()) why += ". It said:" + words;
    auto ended_with = [&](int status) { return ending == "exit status " + std::to_string(status); };
    lost_ = greeted_ && (ended_with(kSshFailed) || ended_with(kExitUnheard));
    if (std::string sentence = is_way_ ? sentence_of_the_way(last_words_) : ""; !sentence.empty())
        return sentence;
    return why + (greeted_ ? "" : hint_for(last_words_));
}

std::unique_ptr<Connection> connect_engine(const std::vector<std::string>& command,
                                           Connection::Listener listener) {
    return std::make_unique<PipeConnection>(command, std::move(listener));
}

}  // namespace lanewise
