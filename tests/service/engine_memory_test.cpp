// The engine's memory stays flat: the real process, asked again and again for large pictures and
// counts of kernels of each kind. A process like this one cannot be asked about by malloc's own
// figures alone: what the engine kept was free, and only not given back.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "../shipped_stages.h"
#include "course/catalogue.h"
#include "lab/json/json.h"
#include "service/client.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

// Of another process, without what it has mapped of files (libraries), in KiB.
int64_t own_memory_kib(int process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;)
        if (int64_t kib = 0; word == "RssAnon:" && status >> kib) return kib;
    return 0;
}

constexpr int64_t kMebibyte = 1024;
constexpr auto kLongPatience = std::chrono::seconds(1000);  // of a machine that has much else to do
constexpr auto kSettling = std::chrono::seconds(5);     // after an answer, before the next round

class EngineMemory : public testing::Test {
  protected:
    using Clock = std::chrono::steady_clock;

    Answer ask(const std::string& method, Json params) {
        Answer answer;
        uint64_t id = client_.request(method, std::move(params));
        for (auto end = Clock::now() + kLongPatience; answer.id != id && Clock::now() < end;) {
            client_.wait(0.1);
            client_.poll([&](Answer one) { answer = std::move(one); }, {});
        }
        return answer;
    }
    Job job(const std::string& stage, int64_t size, int64_t inner) const {
        Job job;
        job.stage = catalogue_.find(stage);
        job.knobs = default_knobs(job.stage);
        job.type = job.stage.types.front();
        job.rows = job.cols = size;
        job.inner = inner;
        return job;
    }
    // As somebody who looks at these stages one after the other, each at several sizes.
    void round() {
        struct Look {
            const char* stage;
            int64_t size, inner;
        };
        for (Look look :
             {Look{"transpose/30_padded", 512, 0}, Look{"matmul/10_naive_product", 64, 4096},
              Look{"matmul/40_wmma", 128, 256}, Look{"transpose/82_async", 256, 0},
              Look{"matmul/10_naive_product", 64, 1024}}) {
            Json of = job(look.stage, look.size, look.inner);
            for (const char* method : {"picture", "analyse"}) {
                Answer answer = ask(method, {{"job", of}, {"block", 0}});
                ASSERT_TRUE(answer.ok) << look.stage << ": " << answer.error;
            }
        }
        ask("ping", Json::object());
    }
    // The least of the next moments, which go on for a while until it is little enough: memory goes
    // back after the answer is on its way.
    int64_t settled_kib(int64_t most_kib) {
        int64_t least = own_memory_kib(client_.process_id());
        auto end = Clock::now() + kSettling;
        for (int i = 0; i < 10 || (least > most_kib && Clock::now() < end); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            least = std::min(least, own_memory_kib(client_.process_id()));
        }
        return least;
    }

    const Catalogue& catalogue_ = shipped_stages();
    EngineClient client_{std::string(PROGRAMS) + "/lanewise-engine serve"};
};

TEST_F(EngineMemory, IsFlat) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's own allocator keeps what is freed";
#endif
    ASSERT_TRUE(ask("ping", Json::object()).ok);
    // What it keeps of five kernels, and of the shipped programs what is unpacked of the last; a picture is
    // 20 MiB in the engine, and twice that while it is packed for the wire.
    constexpr int64_t kMostKib = 48 * kMebibyte;
    // Memory goes back whenever it has grown by HeapTrimmer's 8 MiB; as much again lies in pages
    // that something small holds. One round that kept its pictures would be 100 MiB.
    constexpr int64_t kMostMoreKib = 20 * kMebibyte;
    for (int i = 0; i < 2; ++i) round();
    const int64_t begun = settled_kib(kMostKib);
    ASSERT_GT(begun, 0);
    const int64_t allowed = std::min(kMostKib, begun + kMostMoreKib);
    // What grows stays grown: a round that ended just below the next trimming is no growth, the
    // least of the last two is.
    std::vector<int64_t> after;
    for (int i = 0; i < 4; ++i) {
        round();
        after.push_back(settled_kib(allowed));
    }
    const int64_t kept = std::min(after[2], after[3]);
    std::printf(
        "%lld MiB after two rounds, then %lld, %lld, %lld, %lld\n",
        static_cast<long long>(begun / kMebibyte), static_cast<long long>(after[0] / kMebibyte),
        static_cast<long long>(after[1] / kMebibyte), static_cast<long long>(after[2] / kMebibyte),
        static_cast<long long>(after[3] / kMebibyte));
    EXPECT_LE(kept, allowed);
}

}  // namespace
}  // namespace lanewise
