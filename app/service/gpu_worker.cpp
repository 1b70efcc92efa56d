#include "service/gpu_worker.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "service/gpu_json.h"
#include "service/jobs.h"
#include "service/sandbox.h"

namespace lanewise {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto kCancelLook = 20ms;    // between two looks at the cancel flag
constexpr auto kWorkerGrace = 400ms;  // for a job to stop by itself, and again after SIGTERM

}  // namespace

// A request on its way.
struct GpuWorker::Call {
    uint64_t id = 0;
    const Progress& progress;
    const CancelFlag* cancel;
    std::string doing;  // the last progress notice
    int pressed = 0;    // how often it was asked to stop, each time less gently
    Clock::time_point pressed_at{};
};

GpuWorker::GpuWorker(std::vector<std::string> command, bool with_spare, double silence_limit_s)
    : command_(std::move(command)), with_spare_(with_spare), silence_limit_s_(silence_limit_s) {}

GpuWorker::~GpuWorker() = default;  // the futures of those that end are waited for

WorkerProcess& GpuWorker::ready() {
    while (worker_ && worker_->next(0ms)) {  // signs of life that nobody waited for
    }
    if (worker_ && worker_->ended()) retire();
    if (!worker_ && spare_) worker_ = std::move(spare_);
    if (!worker_) worker_ = std::make_unique<WorkerProcess>(command_);
    if (with_spare_ && !spare_) spare_ = std::make_unique<WorkerProcess>(command_);
    return *worker_;
}

// Taking a hanging kernel off the GPU may keep its process for a moment; nobody waits for that.
void GpuWorker::retire() {
    std::erase_if(ending_, [](auto& one) { return one.wait_for(0s) == std::future_status::ready; });
    worker_->kill();
    ending_.push_back(
        std::async(std::launch::async, [lost = std::move(worker_)]() mutable { lost.reset(); }));
    worker_ = std::move(spare_);
    if (with_spare_) spare_ = std::make_unique<WorkerProcess>(command_);
}

GpuStatus GpuWorker::status() {
    GpuStatus none;
    try {
        return call("gpu", Json::object(), {}, nullptr).result.get<GpuStatus>();
    } catch (const Error& error) {
        none.problem = std::string("looking for a GPU failed: ") + error.what();
    } catch (const Json::exception& error) {
        none.problem = std::string("looking for a GPU failed: ") + error.what();
    }
    return none;
}

GpuWorker::Reply GpuWorker::call(const std::string& method, const Json& params,
                                 const Progress& progress, const CancelFlag* cancel) {
    std::lock_guard lock(mutex_);
    if (cancel && *cancel) throw Cancelled{};
    Call call{.id = ++last_id_, .progress = progress, .cancel = cancel, .doing = ""};
    Json request = {{"type", "request"}, {"id", call.id}, {"method", method}, {"params", params}};
    ready().take_printed();
    worker_->send(request);
    for (bool heard = false, again = false;;) {
        auto message = receive(call);
        heard |= message.has_value();
        if (message) {
            if (auto reply = take(call, *message)) return std::move(*reply);
        } else if (worker_->ended() && !heard && !again) {  // it had ended before it was asked
            again = true;
            retire();
            ready().send(request);
        } else if (worker_->ended()) {
            lose(call, Status::failed_check,
                 "the process that ran the kernel ended (" + worker_->ending() + ")", "killed");
        }
        if (worker_->silent_s() > silence_limit_s_)
            lose(call, Status::out_of_time,
                 "the process that ran the kernel showed no sign of life", "endless");
        press(call);
    }
}

// The next message that says something.
std::optional<Json> GpuWorker::receive(const Call& call) {
    try {
        auto message = worker_->next(kCancelLook);
        if (message && (*message)["type"] == "progress") return message;
        if (message && message->value("id", uint64_t{0}) == call.id) return message;
    } catch (const Error& error) {
        lose(call, Status::failed_check, error.what(), "killed");
    }
    return std::nullopt;
}

// One message of the worker: an answer to this call is returned or thrown.
std::optional<GpuWorker::Reply> GpuWorker::take(Call& call, Json& message) {
    const Json& type = message["type"];
    if (message.value("id", uint64_t{0}) != call.id) return std::nullopt;  // of a cancelled one
    if (type == "progress") {
        call.doing = message.at("what").get<std::string>();
        if (call.progress) call.progress(message.at("fraction").get<double>(), call.doing);
        return std::nullopt;
    }
    if (type == "result") return Reply{std::move(message.at("result")), worker_->take_printed()};
    if (type != "error") return std::nullopt;

    auto status = static_cast<Status>(message.at("status").get<int>());
    std::string what = message.at("message");
    Json details = message.value("details", Json());
    if (message.value("last", false))
        lose(call, status, what, details.is_object() ? details.value("fault", "killed") : "killed");
    if (status == Status::fine) throw Cancelled{};
    throw DetailedError(status, what, details);
}

// Asks a cancelled call to stop, less gently each time.
void GpuWorker::press(Call& call) {
    if (!call.cancel || !*call.cancel) return;
    if (call.pressed > 0 && Clock::now() - call.pressed_at < kWorkerGrace) return;
    call.pressed_at = Clock::now();
    switch (call.pressed++) {
        case 0:
            worker_->send({{"type", "cancel"}, {"id", call.id}});
            break;
        case 1:
            worker_->terminate();
            break;
        default:
            retire();
            throw Cancelled{};
    }
}

void GpuWorker::lose(const Call& call, Status status, const std::string& what,
                     const std::string& kind) {
    CapturedText printed = worker_->take_printed();
    retire();
    if (call.cancel && *call.cancel) throw Cancelled{};
    std::string where = call.doing.empty() ? "" : " (while " + call.doing + ")";
    throw WorkerLost(status, what + where, kind, std::move(printed));
}

void GpuWorker::renew() {
    std::lock_guard lock(mutex_);
    if (worker_) retire();
}

int GpuWorker::process_id() {
    std::lock_guard lock(mutex_);
    return worker_ ? worker_->process_id() : 0;
}

// ---- The engine's own --------------------------------------------------------------------------

namespace {
struct Choice {
    std::string gpu;
    bool with_spare = false;
    bool in_sandbox = false;
};
Choice& choice() {
    static Choice chosen;
    return chosen;
}
}  // namespace

GpuWorker& gpu_worker() {
    static GpuWorker worker = [] {
        std::vector<std::string> command = {(program_folder() / "lanewise-engine").string(),
                                            "worker"};
        if (!choice().gpu.empty()) command.insert(command.end(), {"--gpu", choice().gpu});
        if (choice().in_sandbox) command = in_sandbox(command);
        return GpuWorker(command, choice().with_spare);
    }();
    return worker;
}

void use_gpu_worker(const std::string& gpu, bool with_spare) {
    choice().gpu = gpu;
    choice().with_spare = with_spare;
    let_gpu_status_ask([] {
        GpuStatus none;
        none.problem = missing_driver();
        return none.problem.empty() ? gpu_worker().status() : none;
    });
}

void use_sandbox() {
    in_sandbox({});
    choice().in_sandbox = true;
}

}  // namespace lanewise
