// The wrapper of the driver, against the fake driver; test_gpu_live does the same on a real GPU.
#include "gpu/device.h"
#include "gpu/cublas.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <future>
#include <thread>

#include "base/error.h"
#include "gpu/driver.h"
#include "gpu/driver_call.h"
#include "use_fake_driver.h"

namespace lanewise {

class Device : public testing::Test {
  protected:
    FakeDriver& fake_ = fake_driver();
    void SetUp() override {
        fake_.fail.clear();
        fake_.calls.clear();
        fake_.version = 13000;
        fake_.devices = 1;
        ::unsetenv("CUDA_VISIBLE_DEVICES");
    }
    GpuStatus probe_fake(const std::string& wish = "") {
        std::string problem;
        auto driver = load_driver(FAKE_DRIVER, problem);
        EXPECT_TRUE(driver) << problem;
        return probe(*driver, wish);
    }
};

template <typename F>
static std::string message_of(Status status, F f) {
    try {
        f();
        return "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(status, error.status());
        return error.what();
    }
}

TEST_F(Device, AMissingDriverIsSaid) {
    std::string problem;
    EXPECT_FALSE(load_driver("/nowhere/libcuda.so.1", problem));
    EXPECT_EQ(0u, problem.find("no NVIDIA driver: /nowhere/libcuda.so.1")) << problem;
}

TEST_F(Device, ADriverWithoutTheSymbolsIsTooOld) {
    std::string problem;
    EXPECT_FALSE(load_driver("libm.so.6", problem));
    EXPECT_EQ("the NVIDIA driver is too old: libm.so.6 lacks cuInit", problem);
}

TEST_F(Device, TheDescriptionIsTheDrivers) {
    GpuStatus status = probe_fake();
    EXPECT_TRUE(status.found);
    EXPECT_EQ("", status.problem);
    EXPECT_EQ("Fake GPU", status.gpu.name);
    EXPECT_EQ("sm_90", status.gpu.arch);
    EXPECT_FALSE(status.gpu.driver.empty());
    EXPECT_EQ(132, status.gpu.sm_count);
    EXPECT_EQ(2048, status.gpu.max_threads_per_sm);
    EXPECT_EQ(32, status.gpu.max_blocks_per_sm);
    EXPECT_EQ(65536, status.gpu.registers_per_sm);
    EXPECT_EQ(233472, status.gpu.shared_bytes_per_sm);
    EXPECT_EQ(232448, status.gpu.shared_bytes_per_block);
    EXPECT_EQ(1u << 20, status.gpu.l2_bytes);
    EXPECT_DOUBLE_EQ(1980, status.gpu.sm_clock_mhz);
    EXPECT_DOUBLE_EQ(3201, status.gpu.memory_clock_mhz);
    EXPECT_EQ(6144, status.gpu.memory_bus_bits);
}

TEST_F(Device, EachReasonForNoGpuHasItsAdvice) {
    struct Case {
        int code;
        const char* advice;
    };
    for (Case c : {Case{34, "stubs folder"}, Case{46, "another process"}, Case{100, "nvidia-smi"},
                   Case{802, "nvidia-fabricmanager"}, Case{803, "restart the machine"},
                   Case{999, "dmesg"}, Case{304, "CUDA_ERROR_304 (said the fake)"}}) {
        fake_.fail = {{"cuInit", c.code}};
        GpuStatus status = probe_fake();
        EXPECT_FALSE(status.found);
        EXPECT_NE(std::string::npos, status.problem.find(c.advice)) << status.problem;
        EXPECT_NE(std::string::npos, status.problem.find("works without a GPU")) << status.problem;
    }
}

TEST_F(Device, HiddenGpusAreBlamedOnTheVariable) {
    fake_.fail = {{"cuInit", 100}};
    ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
    EXPECT_EQ(0u, probe_fake().problem.find(
                      "no GPU is visible because CUDA_VISIBLE_DEVICES is set but empty: unset it"));
    ::setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    EXPECT_EQ(0u, probe_fake().problem.find(
                      "no GPU is visible because CUDA_VISIBLE_DEVICES is -1: unset it"));
}

TEST_F(Device, NoDeviceAndAnOldDriverAreToldApart) {
    fake_.devices = 0;
    EXPECT_NE(std::string::npos, probe_fake().problem.find("sees no GPU"));
    fake_.version = 11080;
    EXPECT_EQ(0u, probe_fake().problem.find(
                      "the NVIDIA driver is too old: it knows CUDA 11.8, and 12.0 is needed"));
}

TEST_F(Device, EveryGpuIsListedAndOneChosen) {
    fake_.devices = 2;
    EXPECT_EQ(2u, probe_fake().all.size());
    EXPECT_EQ(0, probe_fake().gpu.index);
    EXPECT_EQ("GPU-00102030-4050-6070-8090-a0b0c0d0e0f0", probe_fake().gpu.uuid);
    for (const char* wish : {"1", "other", "GPU-01112131"}) {
        GpuStatus status = probe_fake(wish);
        EXPECT_TRUE(status.found) << wish;
        EXPECT_EQ(1, status.gpu.index) << wish;
        EXPECT_EQ("Other Fake", status.gpu.name) << wish;
    }
    EXPECT_EQ(0, probe_fake("fake").gpu.index);  // both are meant: the first
    for (const char* wish : {"2", "-1", "H200"}) {
        GpuStatus status = probe_fake(wish);
        EXPECT_FALSE(status.found) << wish;
        EXPECT_EQ(0u, status.problem.find("no GPU here is meant by \"" + std::string(wish) + "\""));
        EXPECT_NE(std::string::npos, status.problem.find("\n    1  Other Fake  GPU-0111"));
    }
}

// In a process of its own: the GPU that it asked for stays the one it uses.
static void open_a_taken_gpu() {
    fake_driver().fail = {{"cuDevicePrimaryCtxRetain", 46}};
    std::string message = message_of(Status::needs_gpu, [] { Gpu::open(); });
    bool said = message.find("another process has Fake GPU (GPU 0) for itself") == 0 &&
                message.find("--gpu") != message.npos;
    std::exit(said ? 0 : 1);
}

TEST_F(Device, AnExclusiveGpuThatIsTakenIsSaid) {
    EXPECT_EXIT(open_a_taken_gpu(), testing::ExitedWithCode(0), "");
}

// Likewise: who is asked is decided before the first answer.
static void ask_somebody_else() {
    FakeDriver& fake = fake_driver();
    fake.calls.clear();
    let_gpu_status_ask([] {
        GpuStatus status;
        status.found = true;
        status.gpu.name = "Told";
        return status;
    });
    bool told = gpu_status().gpu.name == "Told" && missing_driver().empty();
    std::exit(told && fake.count("cuInit") == 0 ? 0 : 1);
}

TEST_F(Device, AProcessCanLeaveTheDriverAlone) {
    EXPECT_EXIT(
        {
            ::setenv("LANEWISE_CUDA_DRIVER", FAKE_DRIVER, 1);
            ask_somebody_else();
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(Device, MemoryGoesUpAndDown) {
    Gpu& gpu = Gpu::open();
    size_t before = fake_.allocations;
    {
        GpuBuffer a = gpu.allocate(64), b = gpu.allocate(64);
        EXPECT_EQ(before + 2, fake_.allocations);
        EXPECT_EQ(64u, a.bytes());
        std::array<uint32_t, 2> words = {7, 8}, back = {};
        gpu.fill_words(a, 0xdeadbeef);
        gpu.upload(a, std::as_bytes(std::span(words)));
        gpu.copy_on_device(b, a, 16);
        gpu.download(std::as_writable_bytes(std::span(back)), b, 4);
        EXPECT_EQ((std::array<uint32_t, 2>{8, 0xdeadbeef}), back);
        GpuBuffer c = std::move(a);
        EXPECT_EQ(0u, a.address());
        b = std::move(c);
    }
    EXPECT_EQ(before, fake_.allocations);
}

TEST_F(Device, TransfersBeyondABufferAreRefused) {
    Gpu& gpu = Gpu::open();
    GpuBuffer a = gpu.allocate(8), b = gpu.allocate(16);
    std::array<std::byte, 16> bytes = {};
    EXPECT_EQ("16 B at 0 do not lie in a GPU buffer of 8 B",
              message_of(Status::bad_input, [&] { gpu.upload(a, bytes); }));
    EXPECT_THROW(gpu.download(bytes, b, 1), Error);
    EXPECT_THROW(gpu.download(bytes, b, ~0ull), Error);
    EXPECT_THROW(gpu.copy_on_device(a, b, 16), Error);
    EXPECT_THROW(gpu.copy_on_device(b, a, 16), Error);
    EXPECT_EQ(0u, fake_.count("cuMemcpyDtoDAsync_v2"));
}

TEST_F(Device, TooLittleMemorySaysHowMuch) {
    EXPECT_EQ("1 GiB of GPU memory are needed and 64 MiB are free: choose a smaller matrix",
              message_of(Status::bad_input, [] { Gpu::open().allocate(1u << 30); }));
}

TEST_F(Device, ALaunchPassesShapeAndArguments) {
    Gpu& gpu = Gpu::open();
    {
        GpuModule kernel = gpu.load("cubin", "_Z1kPf");
        EXPECT_EQ("_Z1kPf", fake_.visible_entry);
        std::array<uint32_t, 3> arguments = {1, 2, 3};
        gpu.launch(kernel, {{4, 5, 6}, {32, 8, 1}, 0}, std::as_bytes(std::span(arguments)));
        EXPECT_EQ(4u, fake_.grid[0]);
        EXPECT_EQ(5u, fake_.grid[1]);
        EXPECT_EQ(6u, fake_.grid[2]);
        EXPECT_EQ(32u, fake_.block[0]);
        EXPECT_EQ(8u, fake_.block[1]);
        ASSERT_EQ(12u, fake_.arguments.size());
        EXPECT_EQ(0, std::memcmp(arguments.data(), fake_.arguments.data(), 12));
        EXPECT_EQ(0u, fake_.count("cuFuncSetAttribute"));
        gpu.launch(kernel, {{1, 1, 1}, {32, 1, 1}, 64 * 1024}, {});
        EXPECT_EQ(1u, fake_.count("cuFuncSetAttribute"));  // above 48 KiB it must be asked for
        EXPECT_EQ(65536u, fake_.shared_bytes);
        EXPECT_TRUE(fake_.arguments.empty());
        EXPECT_EQ(1u, fake_.modules);
    }
    EXPECT_EQ(0u, fake_.modules);
}

// Whose blocks wait for each other: by the call that puts all of them on the card at once.
TEST_F(Device, ALaunchOfBlocksThatWaitForEachOther) {
    Gpu& gpu = Gpu::open();
    GpuModule kernel = gpu.load("cubin", "k");
    std::array<uint32_t, 3> arguments = {7, 8, 9};
    std::array<size_t, 2> offsets = {0, 4};
    fake_.argument_bytes = 12;
    gpu.launch_together(kernel, {{10, 20, 1}, {64, 1, 1}, 0}, std::as_bytes(std::span(arguments)),
                        offsets);
    EXPECT_EQ(1u, fake_.count("cuLaunchCooperativeKernel"));
    EXPECT_EQ(0u, fake_.count("cuLaunchKernel"));
    EXPECT_EQ(10u, fake_.grid[0]);
    ASSERT_EQ(12u, fake_.arguments.size());
    EXPECT_EQ(0, std::memcmp(arguments.data(), fake_.arguments.data(), 12));
    std::string message = message_of(Status::bad_input, [&] {
        gpu.launch_together(kernel, {{1001, 1, 1}, {64, 1, 1}, 0},
                            std::as_bytes(std::span(arguments)), offsets);
    });
    EXPECT_NE(std::string::npos, message.find("the card holds fewer than 1,001 at once")) << message;
    EXPECT_FALSE(Gpu::lost());
}

// In clusters: by the call that says how many blocks one has; more than 8 must be allowed first.
TEST_F(Device, ALaunchInClusters) {
    Gpu& gpu = Gpu::open();
    GpuModule kernel = gpu.load("cubin", "k");
    std::array<uint32_t, 3> arguments = {7, 8, 9};
    std::array<size_t, 2> offsets = {0, 4};
    fake_.argument_bytes = 12;
    const auto bytes = std::as_bytes(std::span(arguments));
    gpu.launch_in_clusters(kernel, {{12, 20, 1}, {64, 2, 1}, 512}, {4, 2, 1}, bytes, offsets);
    EXPECT_EQ(1u, fake_.count("cuLaunchKernelEx"));
    EXPECT_EQ(0u, fake_.count("cuLaunchKernel"));
    EXPECT_EQ(0u, fake_.count("cuFuncSetAttribute"));
    EXPECT_EQ(4u, fake_.cluster[0]);
    EXPECT_EQ(2u, fake_.cluster[1]);
    EXPECT_EQ(1u, fake_.cluster[2]);
    EXPECT_EQ(12u, fake_.grid[0]);
    EXPECT_EQ(20u, fake_.grid[1]);
    EXPECT_EQ(64u, fake_.block[0]);
    EXPECT_EQ(2u, fake_.block[1]);
    EXPECT_EQ(512u, fake_.shared_bytes);
    ASSERT_EQ(12u, fake_.arguments.size());
    EXPECT_EQ(0, std::memcmp(arguments.data(), fake_.arguments.data(), 12));
    gpu.launch_in_clusters(kernel, {{16, 1, 1}, {64, 1, 1}, 0}, {16, 1, 1}, bytes, offsets);
    EXPECT_EQ(1u, fake_.count("cuFuncSetAttribute"));
}

// CUDA_RESOURCE_DESC: its kind first, then at byte 8 an array or an address.
TEST_F(Device, ATextureIsDescribedAsTheDriverHasIt) {
    Gpu& gpu = Gpu::open();
    auto word = [&](size_t at) {
        uint64_t value = 0;
        std::memcpy(&value, fake_.textures.last.resource + at, 8);
        return value;
    };
    {
        GpuBuffer buffer = gpu.allocate(4096);
        Texture rows;
        rows.width = 30;
        rows.height = 10;
        rows.pitch_bytes = 128;
        rows.layout = Texture::Layout::pitch;
        rows.is_linear_filter = rows.is_normalized = true;
        rows.outside = Texture::Outside::mirror;
        GpuTexture texture = gpu.create(rows, buffer);
        EXPECT_NE(0u, texture.handle());
        EXPECT_FALSE(texture.has_array());
        EXPECT_EQ(3u, static_cast<uint32_t>(word(0)));  // CU_RESOURCE_TYPE_PITCH2D
        EXPECT_EQ(buffer.address(), word(8));
        EXPECT_EQ(uint64_t{1} << 32 | 0x20, word(16));  // one channel of CU_AD_FORMAT_FLOAT
        EXPECT_EQ(30u, word(24));
        EXPECT_EQ(10u, word(32));
        EXPECT_EQ(128u, word(40));
        const int* description = fake_.textures.last.texture;
        EXPECT_EQ(2, description[0]);  // CU_TR_ADDRESS_MODE_MIRROR
        EXPECT_EQ(1, description[3]);  // CU_TR_FILTER_MODE_LINEAR
        EXPECT_EQ(2, description[4]);  // CU_TRSF_NORMALIZED_COORDINATES
        Texture bytes;
        bytes.width = 1000;
        bytes.pitch_bytes = 4000;
        bytes.channels = 4;
        bytes.channel_bytes = 1;
        bytes.numbers = Texture::Numbers::unsigned_integers;
        GpuTexture linear = gpu.create(bytes, buffer);
        EXPECT_EQ(2u, static_cast<uint32_t>(word(0)));  // CU_RESOURCE_TYPE_LINEAR
        EXPECT_EQ(uint64_t{4} << 32 | 0x01, word(16));  // four of CU_AD_FORMAT_UNSIGNED_INT8
        EXPECT_EQ(4000u, word(24));
        EXPECT_EQ(1, fake_.textures.last.texture[4]);  // CU_TRSF_READ_AS_INTEGER
        EXPECT_EQ(2u, fake_.textures.alive);
    }
    EXPECT_EQ(0u, fake_.textures.alive);
}

TEST_F(Device, ASurfaceHasAnArrayThatIsFilledAndRead) {
    Gpu& gpu = Gpu::open();
    {
        std::vector<float> numbers(8 * 3);
        for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
        GpuBuffer from = gpu.allocate(96), to = gpu.allocate(96);
        gpu.upload(from, std::as_bytes(std::span(numbers)));
        Texture surface;
        surface.width = 5;  // of rows of 8
        surface.height = 3;
        surface.pitch_bytes = 32;
        surface.is_surface = true;
        surface.layout = Texture::Layout::array;
        GpuTexture made = gpu.create(surface, from);
        EXPECT_TRUE(made.has_array());
        EXPECT_EQ(0x20, fake_.textures.array[0]);
        EXPECT_EQ(2, fake_.textures.array[2]);  // CUDA_ARRAY3D_SURFACE_LDST
        gpu.copy_in(made, from);
        gpu.fill_words(to, 0);
        gpu.copy_out(to, made);
        std::vector<float> back(24);
        gpu.download(std::as_writable_bytes(std::span(back)), to);
        for (size_t i = 0; i < 24; ++i) EXPECT_EQ(i % 8 < 5 ? numbers[i] : 0, back[i]) << i;
        EXPECT_EQ(2u, fake_.textures.alive);
    }
    EXPECT_EQ(0u, fake_.textures.alive);
}

TEST_F(Device, ARefusedLaunchNamesItsShapeAndLosesNothing) {
    Gpu& gpu = Gpu::open();
    GpuModule kernel = gpu.load("cubin", "k");
    fake_.fail = {{"cuLaunchKernel", 701}};
    EXPECT_EQ(
        "the GPU refused to launch a grid of 1x2x3 blocks of 4x5x6 threads: CUDA_ERROR_701 (said "
        "the fake)",
        message_of(Status::failed_check, [&] {
            gpu.launch(kernel, {{1, 2, 3}, {4, 5, 6}, 0}, {});
        }));
    EXPECT_FALSE(Gpu::lost());
}

TEST_F(Device, ALaunchThatNeedsTooMuchMemorySaysWhatUsesIt) {
    Gpu& gpu = Gpu::open();
    GpuModule kernel = gpu.load("cubin", "k");
    fake_.fail = {{"cuLaunchKernel", 2}};
    std::string message = message_of(Status::failed_check, [&] {
        gpu.launch(kernel, {{1, 1, 1}, {1, 1, 1}, 0}, {});
    });
    EXPECT_EQ(0u, message.find("the kernel needs more GPU memory than there is")) << message;
    EXPECT_FALSE(Gpu::lost());
    EXPECT_EQ("", Gpu::fault());
}

TEST_F(Device, ACubinForAnotherCardOrANewerDriverIsExplained) {
    fake_.fail = {{"cuModuleLoadDataEx", 209}};
    std::string message = message_of(Status::failed_check, [] {
        Gpu::open().load(
            "\x7f"
            "ELF and so on",
            "k");
    });
    EXPECT_NE(std::string::npos, message.find("compiled for another card than Fake GPU (sm_90)"));
    EXPECT_NE(std::string::npos, message.find("Update the driver"));
}

TEST_F(Device, WhatTheDriverSaysOfPtxIsPassedOn) {
    fake_.fail = {{"cuModuleLoadDataEx", 218}};
    auto load = [] { Gpu::open().load(".version 8.3\n.target sm_90\n", "k"); };
    std::string message = message_of(Status::failed_check, load);
    EXPECT_NE(
        std::string::npos,
        message.find("cannot compile the kernel's PTX for Fake GPU (sm_90): ptxas application "
                     "ptx input, line 9; fatal   : Unknown opcode. Where it is of a newer"))
        << message;
    fake_.fail = {{"cuModuleLoadDataEx", 221}};
    EXPECT_NE(std::string::npos,
              message_of(Status::failed_check, load).find("libnvidia-ptxjitcompiler"));
    fake_.fail = {};
    EXPECT_NO_THROW(load());
}

TEST_F(Device, EventsTellMicroseconds) {
    Gpu& gpu = Gpu::open();
    GpuBuffer a = gpu.allocate(4'000'000), b = gpu.allocate(4'000'000);
    GpuEvent start = gpu.event(), stop = gpu.event();
    gpu.record(start);
    gpu.copy_on_device(b, a, 4'000'000);  // 8 MB moved at 4,000 GB/s take 2 us
    gpu.record(stop);
    EXPECT_TRUE(gpu.finished(stop));
    EXPECT_NEAR(2.0, stop.us_since(start), 0.01);
    fake_.fail = {{"cuEventQuery", 600}};
    EXPECT_FALSE(gpu.finished(stop));
}

TEST_F(Device, AGraphRepeatsWhatWasRecorded) {
    Gpu& gpu = Gpu::open();
    GpuBuffer a = gpu.allocate(4);
    {
        GpuGraph graph = gpu.capture([&] { gpu.fill_words(a, 5); });
        uint32_t word = 1;
        gpu.upload(a, std::as_bytes(std::span(&word, 1)));
        gpu.download(std::as_writable_bytes(std::span(&word, 1)), a);
        EXPECT_EQ(1u, word);  // recorded, not done
        gpu.launch(graph);
        gpu.download(std::as_writable_bytes(std::span(&word, 1)), a);
        EXPECT_EQ(5u, word);
        EXPECT_EQ(1u, fake_.graphs);
    }
    EXPECT_EQ(0u, fake_.graphs);
    EXPECT_EQ(1u, fake_.count("cuGraphDestroy"));
}

TEST_F(Device, WorkThatFailsWhileRecordedEndsTheRecording) {
    Gpu& gpu = Gpu::open();
    GpuBuffer a = gpu.allocate(4);
    fake_.fail = {{"cuMemsetD32Async", 1}};
    EXPECT_THROW(gpu.capture([&] { gpu.fill_words(a, 5); }), Error);
    EXPECT_EQ(1u, fake_.count("cuStreamEndCapture"));
    EXPECT_EQ(1u, fake_.count("cuGraphDestroy"));
}

TEST_F(Device, SaysHowToGetALibraryThatIsMissing) {
    ::setenv("LANEWISE_CUBLAS", "/nowhere/libcublas.so.13", 1);
    const CublasStatus& status = cublas_status("");
    EXPECT_FALSE(status.found);
    EXPECT_TRUE(status.advice.starts_with("there is no cuBLAS here (/nowhere/libcublas.so.13: "))
        << status.advice;
    EXPECT_NE(std::string::npos, status.advice.find("install it from CUDA 12 or 13"));
    EXPECT_EQ(status.advice, message_of(Status::bad_input, [] { Cublas::open(Gpu::open(), ""); }));
}

TEST(DriverCalls, OneThatDoesNotComeBackIsNoticedFromAnotherThread) {
    auto hangs = [] { return std::async(std::launch::async, Gpu::hangs).get(); };
    EXPECT_FALSE(hangs());
    {
        DriverCall patient(3600);
        EXPECT_FALSE(hangs());
        DriverCall inside(0);  // a part of the other, which may take its time
        EXPECT_FALSE(hangs());
    }
    {
        DriverCall hasty(0);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_TRUE(hangs());
    }
    EXPECT_FALSE(hangs());
}

// In a process of its own, because a lost GPU stays lost. It ends without being asked what it still
// holds: a lost GPU's objects are never freed.
static void lose_the_gpu() {
    FakeDriver& fake = fake_driver();
    Gpu& gpu = Gpu::open();
    {
        GpuBuffer buffer = gpu.allocate(8);
        fake.fail = {{"cuStreamSynchronize", 700}};
        std::string message = message_of(Status::failed_check, [&] { gpu.synchronize(); });
        fake.fail.clear();
        std::string later = message_of(Status::failed_check, [] { Gpu::open(); });
        bool said = message.find("read or wrote memory that is not its own") != message.npos &&
                    later.find("a new one has to be started") != later.npos &&
                    Gpu::fault() == "illegal_access" && !Gpu::hangs();
        if (!said)
            std::fprintf(stderr, "%s; %s; %s\n", message.c_str(), later.c_str(),
                         Gpu::fault().c_str());
        if (!said || !Gpu::lost()) std::_Exit(1);
    }
    std::_Exit(fake.count("cuMemFree_v2") == 0 ? 0 : 2);  // a call into a dead context might hang
}

TEST_F(Device, AnIllegalAccessLosesTheGpu) {
    EXPECT_EXIT(lose_the_gpu(), testing::ExitedWithCode(0), "");
}

}  // namespace lanewise
