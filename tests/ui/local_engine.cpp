#include "local_engine.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include "lab/job/job.h"
#include "service/client.h"
#include "service/jobs.h"
#include "ui/shell/engine_requests.h"

namespace lanewise::ui {
namespace {

using Json = nlohmann::json;

// Whatever launches a kernel is refused as the engine refuses what it does not know.
const Method* find_method(const std::string& name) {
    static const Service service = lab_service();
    for (const char* on_gpu : {"measure", "measure_own", "bench", "count", "staircase"})
        if (name == on_gpu) return nullptr;
    for (const Method& method : service.methods)
        if (method.name == name) return &method;
    return nullptr;
}

class InProcess : public Engine {
  public:
    explicit InProcess(LocalEngine& engine) : engine_(engine) {}

    uint64_t request(const std::string& method, Json params) override {
        ++engine_.asked[method];
        waiting_.push_back({++last_id_, method, std::move(params)});
        return last_id_;
    }
    void cancel(uint64_t id) override {
        for (Waiting& each : waiting_)
            if (each.id == id) each.method.clear();
    }
    void poll(const std::function<void(Answer)>& on_answer,
              const std::function<void(uint64_t, double, std::string)>&) override {
        for (Waiting& each : std::exchange(waiting_, {})) on_answer(answer(each));
    }
    void wait(double) override {}
    int process_id() const override { return 0; }
    EngineHello hello() const override { return {}; }

  private:
    struct Waiting {
        uint64_t id = 0;
        std::string method;  // "": cancelled
        Json params;
    };
    Answer answer(const Waiting& request) const {
        Answer answer;
        answer.id = request.id;
        answer.error = "cancelled";
        if (request.method.empty() || engine_.unanswered.contains(request.method)) return answer;
        try {
            answer.result = work(request);
            answer.ok = true;
        } catch (...) {
            JobFailure failure = failure_at_hand();
            answer.status = failure.status;
            answer.error = failure.message;
            answer.details = std::move(failure.details);
        }
        return answer;
    }
    static Json work(const Waiting& request) {
        const Method* method = find_method(request.method);
        if (!method) throw Error(Status::bad_input, "There is no " + request.method + " here.");
        CancelFlag cancel{false};
        JobContext context{cancel, [](double, const std::string&) {}};
        return method->work(request.params, context);
    }

    LocalEngine& engine_;
    std::deque<Waiting> waiting_;
    uint64_t last_id_ = 0;
};

}  // namespace

std::unique_ptr<EngineLink> link_to(LocalEngine& engine) {
    return std::make_unique<EngineLink>(std::make_unique<InProcess>(engine), engine_requests());
}

}  // namespace lanewise::ui
