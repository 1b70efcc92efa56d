#include "service/compiled_ahead.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "compile/compiler.h"
#include "lab/json/json.h"

namespace lanewise {

using namespace std::chrono_literals;

namespace {

constexpr auto kLookAtFlag = 20ms;  // between two looks at the cancel flag

// Compilers whose jobs were cancelled. Never destroyed: that would wait for them.
class LeftCompilers {
  public:
    void add(std::future<void> one) {
        std::lock_guard lock(mutex_);
        left_.push_back(std::move(one));
    }
    void wait(const CancelFlag& cancel) {
        while (any_works()) {
            if (cancel) throw Cancelled{};
            std::this_thread::sleep_for(kLookAtFlag);
        }
    }
    bool have_ended(std::chrono::milliseconds patience) {
        std::lock_guard lock(mutex_);
        const auto end = std::chrono::steady_clock::now() + patience;
        return std::all_of(left_.begin(), left_.end(), [end](const auto& one) {
            return has_ended(one, end - std::chrono::steady_clock::now());
        });
    }

  private:
    bool any_works() {
        std::lock_guard lock(mutex_);
        std::erase_if(left_, [](const auto& one) { return has_ended(one, 0ms); });
        return !left_.empty();
    }
    static bool has_ended(const std::future<void>& one, std::chrono::nanoseconds patience) {
        return one.wait_for(std::max(patience, 0ns)) == std::future_status::ready;
    }
    std::mutex mutex_;
    std::vector<std::future<void>> left_;
};

LeftCompilers& left_compilers() {
    static LeftCompilers& left = *new LeftCompilers;
    return left;
}

}  // namespace

CompiledAhead::CompiledAhead(std::vector<Job> jobs, std::function<void(Job&)> compile) {
    if (jobs.empty()) return;
    done_ = std::async(std::launch::async, [failed = failed_, jobs = std::move(jobs),
                                            compile = std::move(compile)]() mutable {
        try {
            for (Job& job : jobs) compile(job);
        } catch (const CompileError&) {
            *failed = true;
            throw;
        } catch (const std::exception&) {
        }
    });
}

CompiledAhead::~CompiledAhead() {
    if (done_.valid() && done_.wait_for(0s) != std::future_status::ready)
        left_compilers().add(std::move(done_));
}

void CompiledAhead::wait(const CancelFlag* cancel) {
    if (!done_.valid()) return;
    while (done_.wait_for(kLookAtFlag) != std::future_status::ready)
        if (cancel && *cancel) throw Cancelled{};
    done_.get();
}

void compile_apart(Service& service, const std::function<void(Job&)>& compile) {
    static constexpr std::string_view kInterpreting[] = {
        "picture", "analyse", "pads",  "product", "mismatch",
        "walk",    "swizzle", "fixes", "causes",  "step"};
    for (Method& method : service.methods) {
        if (std::ranges::find(kInterpreting, method.name) == std::end(kInterpreting)) continue;
        method.work = [compile, work = std::move(method.work)](const nlohmann::json& params,
                                                               JobContext& context) {
            if (params.contains("job")) {
                left_compilers().wait(context.cancel);
                CompiledAhead({params["job"].get<Job>()}, compile).wait(&context.cancel);
            }
            return work(params, context);
        };
    }
}

bool have_left_compilers_ended(std::chrono::milliseconds patience) {
    return left_compilers().have_ended(patience);
}

}  // namespace lanewise
