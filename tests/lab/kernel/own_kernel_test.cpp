// Kernels from outside the catalogue, through analyse() and trace_block().
#include "lab/kernel/own_kernel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "../../needs.h"
#include "../own_job.h"
#include "base/error.h"
#include "base/files.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/prediction.h"
#include "lab/json/json.h"
#include "lab/machine/interpret.h"
#include "lab/machine/prepared.h"
#include "lab/machine/saved_buffer.h"

namespace lanewise {

namespace {

Status status_of(const Job& job, std::string& message) {
    try {
        analyse(job, 1);
    } catch (const Error& error) {
        message = error.what();
        return error.status();
    }
    return Status::fine;
}

class OwnKernelTest : public testing::Test {};

const char* kScale = R"cu(
template <typename T>
__global__ void scale(T* out, const T* in, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = by * in[i];
}
)cu";

}  // namespace

TEST_F(OwnKernelTest, CountsAreThoseOfTheLaunch) {
    NEEDS_NVRTC();
    // 100 of 128 threads, doubles: 3 full warps of 8 sectors, and 4 lanes with one.
    Analysis analysis = analyse(
        own_job(kScale, "scale<double>", {2}, {64}, {"f64[100]", "f64[100]", "f64:2", "i32:100"}),
        1);
    EXPECT_FALSE(analysis.has_reference);
    EXPECT_FALSE(analysis.correct);
    EXPECT_TRUE(analysis.report.findings.empty());
    EXPECT_EQ(4u, analysis.report.totals.global_load.requests);
    EXPECT_EQ(25u, analysis.report.totals.global_load.sectors);
    EXPECT_EQ(25u, analysis.report.totals.global_store.sectors);
    EXPECT_EQ(800u, analysis.report.totals.global_store.bytes);
    ASSERT_EQ(1u, analysis.notes.size());
    EXPECT_NE(std::string::npos, analysis.notes[0].find("Not verified"));
    Json json = trace_json(analysis);
    EXPECT_TRUE(json["correct"].is_null());
    EXPECT_TRUE(json["rows"].is_null());
    EXPECT_EQ(25, json["totals"]["global_load"]["sectors"]);
}

TEST_F(OwnKernelTest, BuffersHoldUniqueWordsAndAreWritable) {
    NEEDS_NVRTC();
    Job job = own_job(kScale, "scale<float>", {1}, {32}, {"f32[5]", "f32[3]", "f32:2", "i32:3"});
    Preparation preparation = prepare(job);
    StageLaunch launch(job, preparation.kernel->kernel);
    ASSERT_EQ(2u, launch.memory.buffers().size());
    const Memory::Buffer& out = launch.memory.buffers()[0];
    EXPECT_EQ("out", out.name);
    EXPECT_EQ(20u, out.bytes);
    EXPECT_EQ("in", launch.memory.buffers()[1].name);
    for (uint32_t i = 0; i < 5; ++i) {
        uint32_t word = 0;
        std::memcpy(&word, out.storage + 4 * i, 4);
        EXPECT_EQ(unique_word(i), word);
    }
    // Pointer, pointer, float at 16, int at 20.
    auto arguments = launch.arguments();
    ASSERT_EQ(24u, arguments.size());
    float by = 0;
    int n = 0;
    std::memcpy(&by, &arguments[16], 4);
    std::memcpy(&n, &arguments[20], 4);
    EXPECT_EQ(2.f, by);
    EXPECT_EQ(3, n);
}

// A box of 4 x 8 floats from column 4 and row 2 of a tensor of 5 x 12, row by row.
const char* kBox = R"cu(
struct alignas(64) Map { unsigned long long opaque[16]; };
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void box(const __grid_constant__ Map map, float* out) {
    __shared__ alignas(128) float tile[32];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)));
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(at(&full)));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {4, 2}], [%2];"
                     ::"r"(at(tile)), "l"(&map), "r"(at(&full)) : "memory");
    }
    __syncthreads();
    asm volatile("{\n.reg .pred over;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 over, "
                 "[%0], 0;\n@!over bra AGAIN;\n}" ::"r"(at(&full)) : "memory");
    out[threadIdx.x] = tile[threadIdx.x];
}
)cu";

TEST_F(OwnKernelTest, ATensorIsReachedThroughItsMap) {
    NEEDS_NVRTC();
    Job job = own_job(kBox, "box", {1}, {32}, {"tensor:f32:5x12:box=4x8:pitch=16", "f32[32]"});
    Preparation preparation = prepare(job);
    StageLaunch launch(job, preparation.kernel->kernel);
    ASSERT_EQ(2u, launch.memory.buffers().size());
    EXPECT_EQ("map", launch.memory.buffers()[0].name);
    EXPECT_EQ(5u * 16 * 4, launch.memory.buffers()[0].bytes);
    ASSERT_EQ(1u, launch.maps.size());
    EXPECT_EQ(0u, launch.maps[0].offset);
    Observer nobody;
    preparation.kernel->machine->run(job.own.shape, launch.arguments(), launch.memory, 0, 1,
                                     nobody);
    for (uint32_t i = 0; i < 32; ++i) {
        uint32_t row = 2 + i / 8, col = 4 + i % 8, word = 0;
        std::memcpy(&word, launch.memory.buffers()[1].storage + 4 * i, 4);
        EXPECT_EQ(row < 5 ? unique_word(row * 16 + col) : 0, word) << i;  // zeros outside
    }
    Report report = analyse(job, 1).report;
    EXPECT_TRUE(report.findings.empty());
    // 3 rows of 32 bytes lie inside, each in the middle of two sectors; the zeros of the row
    // outside come as a sector of their own.
    EXPECT_EQ((BulkCounts{1, 7, 3, 96}), report.totals.bulk_load);
}

TEST_F(OwnKernelTest, ATensorMayLieInAnothersBuffer) {
    NEEDS_NVRTC();
    Job job = own_job(kBox, "box", {1}, {32}, {"tensor:out:f32:8x8:box=4x8", "f32[64]"});
    Preparation preparation = prepare(job);
    StageLaunch launch(job, preparation.kernel->kernel);
    ASSERT_EQ(1u, launch.memory.buffers().size());
    EXPECT_EQ(launch.memory.buffers()[0].address, launch.maps[0].map.address);
    std::string message;
    job.own.arguments[0] = "tensor:in:f32:8x8:box=4x8";
    EXPECT_EQ(Status::bad_input, status_of(job, message));
    EXPECT_NE(std::string::npos, message.find("no parameter \"in\" has a buffer; those that have: "
                                              "out"))
        << message;
    // More than the buffer has is a finding, as on the card an access out of bounds would be.
    job.own.arguments[0] = "tensor:out:f32:80x8:box=4x8";
    job.own.arguments[1] = "f32[32]";
    EXPECT_EQ("out_of_bounds", analyse(job, 1).report.findings.at(0).kind);
}

// 16 threads of a warp read 16 floats and write them; the 17th is past the end of out.
TEST_F(OwnKernelTest, AFindingNamesTheMemberOfAStruct) {
    NEEDS_NVRTC();
    const char* source =
        "struct Range { int first, last; };\n"
        "struct Params { char tag; Range range; const float* in; float* out; float4 by; };\n"
        "__global__ void add(const Params p, float3 shift, dim3 size) {\n"
        "    int i = p.range.first + threadIdx.x * size.z;\n"
        "    if (i < p.range.last && p.tag == 7 && p.by.w == 4 && shift.y == -1)\n"
        "        p.out[i] = p.in[i] + shift.z;\n"
        "}\n";
    Job job = own_job(source, "add", {1}, {32},
                      {"{i8:7,{i32:4,i32:21},f32[21],f32[20],align16{f32:1,f32:2,f32:3,f32:4}}",
                       "{f32:0,f32:-1,f32:2}", "{u32:0,u32:0,u32:1}"});
    Analysis analysis = analyse(job, 1);
    ASSERT_EQ(1u, analysis.report.findings.size());
    const Finding& finding = analysis.report.findings[0];
    EXPECT_EQ("out_of_bounds", finding.kind);
    EXPECT_EQ(6, finding.line);
    EXPECT_EQ("(16,0)", finding.thread);  // 4 + 16 = 20
    EXPECT_EQ("out-of-bounds store: p.out + 80 bytes, buffer p.out has 80 bytes", finding.message);
    Preparation preparation = prepare(job);
    StageLaunch launch(job, preparation.kernel->kernel);
    ASSERT_EQ(2u, launch.memory.buffers().size());
    EXPECT_EQ("p.in", launch.memory.buffers()[0].name);
    EXPECT_EQ(84u, launch.memory.buffers()[0].bytes);
    ASSERT_EQ(2u, launch.addresses.size());
    EXPECT_EQ(16u, launch.addresses[0].offset);
    EXPECT_EQ(24u, launch.addresses[1].offset);
    // 48 of Params, 12 of float3 and 12 of dim3.
    ASSERT_EQ(72u, launch.arguments().size());
    float last = 0;
    std::memcpy(&last, &launch.arguments()[44], sizeof last);
    EXPECT_EQ(4.0f, last);
    std::memcpy(&last, &launch.arguments()[56], sizeof last);
    EXPECT_EQ(2.0f, last);
}

TEST_F(OwnKernelTest, AFindingNamesTheParameter) {
    NEEDS_NVRTC();
    Analysis analysis = analyse(
        own_job(kScale, "scale<float>", {1}, {32}, {"f32[30]", "f32[32]", "f32:2", "i32:32"}), 1);
    ASSERT_EQ(1u, analysis.report.findings.size());
    const Finding& finding = analysis.report.findings[0];
    EXPECT_EQ("out_of_bounds", finding.kind);
    EXPECT_EQ(5, finding.line);
    EXPECT_EQ(2u, finding.count);
    EXPECT_EQ("out-of-bounds store: out + 120 bytes, buffer out has 120 bytes", finding.message);
}

TEST_F(OwnKernelTest, ABatchOfPointersIsFollowed) {
    NEEDS_NVRTC();
    const char* source = R"cu(
__global__ void add_each(const float* const* in, float* const* out, const int* row, int n) {
    for (int i = row[blockIdx.x] + threadIdx.x; i < row[blockIdx.x + 1]; i += blockDim.x)
        out[blockIdx.x][i] = in[blockIdx.x][i] + n;
}
)cu";
    std::string saved;
    auto look = [&](const StageLaunch& launch) {
        for (size_t i = 0; i < launch.types.size(); ++i)
            if (const Memory::Buffer& buffer = launch.memory.buffers()[i]; buffer.name == "out[1]")
                saved = elements_as_text({buffer.storage, 16}, *find_element_type("f32"));
    };
    // Block b does the elements 2 b and 2 b + 1, of which the second block's lie in out[1].
    Job job = own_job(source, "add_each", {2}, {32},
                      {"ptr[2*f32[4]=0+1]", "ptr[2*f32[4]=9]", "i32[3]=0+2", "i32:5"});
    EXPECT_TRUE(analyse(job, 1, nullptr, 0, look).report.findings.empty());
    EXPECT_EQ("9\n9\n7\n8\n", saved);
    job.own.arguments[1] = "ptr[f32[4],f32[3]]";
    Analysis analysis = analyse(job, 1);
    ASSERT_EQ(1u, analysis.report.findings.size());
    EXPECT_EQ("out-of-bounds store: out[1] + 12 bytes, buffer out[1] has 12 bytes",
              analysis.report.findings[0].message);
}

TEST_F(OwnKernelTest, TheHeapIsSearchedAndItsRestIsTold) {
    NEEDS_NVRTC();
    const char* source = R"cu(
__global__ void lists(int* out, int n) {
    int* mine = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) mine[i] = i + threadIdx.x;
    out[threadIdx.x] = mine[n - 1];
    if (threadIdx.x % 2 == 0) free(mine);
    if (threadIdx.x == 4) out[4] = mine[1];
}
)cu";
    Analysis analysis = analyse(own_job(source, "lists", {1}, {32}, {"i32[32]", "i32:3"}), 1);
    ASSERT_EQ(1u, analysis.report.findings.size());
    EXPECT_EQ("out_of_bounds", analysis.report.findings[0].kind);
    EXPECT_EQ("load after free: byte 4 of the 12 that malloc gave and free took back",
              analysis.report.findings[0].message);
    EXPECT_EQ(7, analysis.report.findings[0].line);
    EXPECT_EQ("16 allocations of malloc, 192 B in all, were not freed by this launch.",
              analysis.notes[0]);
    ASSERT_LT(1u, analysis.notes.size());
    EXPECT_TRUE(analysis.notes[1].starts_with("Where a card places what malloc and new give"));
}

// Which looks at blocks again when the launch is over: its tickets are drawn then.
TEST_F(OwnKernelTest, TheModelsSampleEndsAtABlockThatWaitsForEver) {
    NEEDS_NVRTC();
    const char* source = R"cu(
__device__ unsigned drawn, turn;
__global__ void in_turn(unsigned* out) {
    unsigned ticket = atomicAdd(&drawn, 1);
    while (atomicAdd(&turn, 0) != ticket) {}
    out[ticket] = ticket;
    if (ticket + 1 < gridDim.x) atomicAdd(&turn, 1);
}
)cu";
    Job job = own_job(source, "in_turn", {8}, {1}, {"u32[8]"});
    Preparation preparation = prepare(job);
    StageLaunch stage(job, preparation.kernel->kernel);
    stage.limits.instructions_per_block = stage.limits.instructions_per_warp = 100'000;
    interpret(*preparation.kernel, job.own.shape, stage, 1, nullptr);
    TrafficSample sample = sample_traffic(*preparation.kernel, job.own.shape, stage, nullptr);
    EXPECT_EQ(1, sample.blocks);  // of the 8
}

TEST_F(OwnKernelTest, AnInstructionOfOneArchitectureAloneSaysWhatToDo) {
    NEEDS_NVRTC();
    std::string message;
    Job job = own_job(
        "__global__ void k(int* o) { asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\"); "
        "o[threadIdx.x] = 1; }",
        "k", {1}, {128}, {"i32[128]"});
    EXPECT_EQ(Status::no_compile, status_of(job, message));
    EXPECT_NE(std::string::npos, message.find("--arch sm_90a")) << message;
    job.arch = "sm_90a";
    EXPECT_EQ(Status::fine, status_of(job, message)) << message;
}

TEST_F(OwnKernelTest, APictureIsOneBlockOfIt) {
    NEEDS_NVRTC();
    Picture picture = trace_block(
        own_job(kScale, "scale<float>", {4}, {64}, {"f32[256]", "f32[256]", "f32:2", "i32:256"}),
        3);
    EXPECT_EQ(4u, picture.block.accesses.size());  // 2 warps, a load and a store each
    ASSERT_EQ(2u, picture.block.buffers.size());
    EXPECT_EQ("in", picture.block.buffers[1].name);
}

TEST_F(OwnKernelTest, TheJobTravels) {
    Job job = own_job(kScale, "scale<float>", {4, 5, 6}, {64}, {"f32[256]"});
    job.own.include_folders = {"a"};
    job.own.defines = {"B=1"};
    Job copy = Json(job).get<Job>();
    EXPECT_EQ(job.own.kernel, copy.own.kernel);
    EXPECT_EQ(job.own.shape.grid, copy.own.shape.grid);
    EXPECT_EQ(job.own.arguments, copy.own.arguments);
    EXPECT_EQ(job.own.include_folders, copy.own.include_folders);
    EXPECT_EQ(job.own.defines, copy.own.defines);
}

TEST_F(OwnKernelTest, AKernelNameThatFitsNoneListsTheCandidates) {
    NEEDS_NVRTC();
    std::string source = std::string(kScale) +
                         "__device__ int helper() { return 1; }\n"
                         "__global__ void twice(int* a) { a[0] = helper(); }\n"
                         "__global__ void twice(float* a) { a[0] = 1; }\n";
    struct {
        const char *kernel, *part;
    } cases[] = {{"scael", "\"scael\" is undefined"},
                 {"helper", "non-__global__"},
                 {"scale", "--kernel 'scale<float>'"},
                 {"twice", "overloaded"},
                 {"scale<float", "no kernel fits"}};
    for (const auto& c : cases) {
        std::string message;
        EXPECT_EQ(Status::bad_input, status_of(own_job(source, c.kernel, {1}, {1}, {}), message))
            << c.kernel;
        EXPECT_NE(std::string::npos, message.find(c.part)) << message;
        EXPECT_NE(std::string::npos, message.find("    twice(float* a)   line 9")) << message;
    }
    std::string message;
    EXPECT_EQ(Status::fine,
              status_of(own_job(source, "(void (*)(int*))twice", {1}, {1}, {"i32[1]"}), message))
        << message;
}

TEST_F(OwnKernelTest, HeadersAndDefinesReachTheCompiler) {
    NEEDS_NVRTC();
    namespace fs = std::filesystem;
    fs::path folder = fs::temp_directory_path() / ("lanewise-own-" + std::to_string(::getpid()));
    write_file(folder / "include/width.h", "constexpr int kWidth = 8;\n");
    write_file(folder / "own.cu",
               "#include \"width.h\"\n"
               "__global__ void k(int* a) { a[threadIdx.x] = kWidth + EXTRA; }\n");
    Job job;
    job.stage = own_stage(folder / "own.cu");
    job.own.kernel = "k";
    job.own.shape.block.x = 32;
    job.own.arguments = {"i32[32]"};
    std::string message;
    EXPECT_EQ(Status::no_compile, status_of(job, message));
    EXPECT_NE(std::string::npos,
              message.find("Say --include " + (folder / "include").string() + " to find width.h"))
        << message;
    job.own.include_folders = {(folder / "include").string()};
    EXPECT_EQ(Status::no_compile, status_of(job, message));
    EXPECT_NE(std::string::npos, message.find("EXTRA")) << message;
    job.own.defines = {"EXTRA=1"};
    EXPECT_EQ(Status::fine, status_of(job, message)) << message;
    fs::rename(folder / "include/width.h", folder / "width.h");  // beside the source: found alone
    job.own.include_folders.clear();
    EXPECT_EQ(Status::fine, status_of(job, message)) << message;
    fs::remove_all(folder);
}

TEST_F(OwnKernelTest, HostCodeIsLeftOut) {
    NEEDS_NVRTC();
    std::string message;
    Job job = own_job(
        "#include <cstdio>\n__global__ void k() {}\n"
        "int main() { k<<<1, 1>>>(); printf(\"done\"); return 0; }\n",
        "k", {1}, {1}, {});
    EXPECT_EQ(Status::fine, status_of(job, message)) << message;
}

TEST_F(OwnKernelTest, TooMuchPtxIsRefused) {
    NEEDS_NVRTC();
    // A comment in inline PTX stands in the PTX as it is.
    std::string line = "    asm volatile(\"// " + std::string(9000, 'x') + "\");\n", body;
    for (int i = 0; i < 1000; ++i) body += line;
    std::string message;
    Job job = own_job("__global__ void k() {\n" + body + "}\n", "k", {1}, {1}, {});
    EXPECT_EQ(Status::bad_input, status_of(job, message));
    EXPECT_NE(std::string::npos, message.find("at most 8 MiB are interpreted")) << message;
}

TEST(OwnLaunch, LaunchesBeyondTheHardwareAreRefused) {
    EXPECT_EQ((Dim3{7, 8, 9}), parse_grid("7,8,9"));
    EXPECT_EQ((Dim3{2'147'483'647, 1, 1}), parse_grid("2147483647"));
    EXPECT_EQ((Dim3{1024, 1, 1}), parse_block("1024"));
    for (const char* grid : {"0", "-1", "2147483648", "1,65536", "1,1,65536", "1,2,3,4", "", "x",
                             "1,", "99999999999999999999"})
        EXPECT_THROW(parse_grid(grid), Error) << grid;
    for (const char* block : {"0", "1025", "33,32", "1,1,65", "32x8"})
        EXPECT_THROW(parse_block(block), Error) << block;
    OwnLaunch own;
    own.shape.grid = {2'147'483'647, 65'535, 1};
    EXPECT_THROW(check_own(own), Error);
    own.shape = {{1}, {1}, 227 * 1024};
    EXPECT_NO_THROW(check_own(own));
    own.shape.dynamic_shared_bytes += 1;
    EXPECT_THROW(check_own(own), Error);
}

}  // namespace lanewise
