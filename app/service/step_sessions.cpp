#include "service/step_sessions.h"

#include <memory>
#include <mutex>

#include "lab/json/json.h"
#include "lab/json/step_json.h"
#include "lab/step/step_session.h"

namespace lanewise {

namespace {

constexpr uint64_t kMostRecordedBytes = uint64_t{128} << 20;
constexpr double kMostSeconds = 5;
// Blocks that run for the sake of what comes behind them. Beyond these they are left out.
constexpr uint32_t kMostBlocksBefore = 64;

struct KeptSession {
    std::mutex mutex;
    std::string job;
    std::unique_ptr<StepSession> session;
    uint32_t first_block = 0;
};

KeptSession& kept() {
    static KeptSession one;
    return one;
}

bool leads_to(KeptSession& kept, uint32_t block) {
    return block >= kept.first_block && block <= kept.session->now().block + kMostBlocksBefore;
}

void begin(KeptSession& kept, const Json& job, std::string key, uint32_t block) {
    kept.session.reset();  // before there are two
    Debugger::Options options;
    options.recording.most_bytes = kMostRecordedBytes;
    options.recording.first_block = block <= kMostBlocksBefore ? 0 : block;
    options.most_seconds = kMostSeconds;
    kept.session = std::make_unique<StepSession>(job.get<Job>(), options);
    kept.job = std::move(key);
    kept.first_block = options.recording.first_block;
}

}  // namespace

Json step(const Json& params, JobContext& context) {
    const auto question = params.get<StepQuestion>();
    const Json& job = params.at("job");
    std::string key = job.dump(-1, ' ', false, Json::error_handler_t::replace);
    KeptSession& mine = kept();
    std::lock_guard lock(mine.mutex);
    if (!mine.session || mine.job != key || !leads_to(mine, question.from.at.block))
        begin(mine, job, std::move(key), question.from.at.block);
    return mine.session->answer(question, &context.cancel);
}

}  // namespace lanewise
