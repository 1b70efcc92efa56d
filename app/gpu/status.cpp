// What GPU there is, and where there is none, why and what to do.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <mutex>

#include "base/browser.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "gpu/driver.h"
#include "gpu/driver_call.h"
#include "gpu/nvml.h"

namespace lanewise {

static constexpr int kOldestCuda = 12000;  // as cuDriverGetVersion counts: 12.0

static constexpr const char* kWithout =
    "Everything except Run works without a GPU; measurements are then shown from recordings";

namespace {
struct DriverAdvice {
    Driver::Code code;
    const char* text;
};
}  // namespace
static constexpr DriverAdvice kDriverAdvice[] = {
    {Driver::kStubLibrary,
     "the library found is the toolkit's stub, not a driver: take the stubs folder off the "
     "library path"},
    {Driver::kDeviceUnavailable, "another process has the card for itself: wait for it to end"},
    {Driver::kNoDevice,
     "the driver is there but sees no GPU: check nvidia-smi. In a container, start it with --gpus "
     "all (Docker) or ask for a GPU (Slurm: --gres=gpu:1)"},
    {Driver::kSystemNotReady,
     "the card is not ready: on NVSwitch machines start nvidia-fabricmanager"},
    {Driver::kDriverMismatch,
     "the driver's library and its kernel module differ, as after an update: restart the machine"},
    {Driver::kUnknown,
     "the driver does not work: look at dmesg, and restart the machine or reload the module"},
};

static std::string problem_of(const Driver& driver, Driver::Code code) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (code == Driver::kNoDevice && visible && (!*visible || std::string_view(visible) == "-1"))
        return fmt::format("no GPU is visible because CUDA_VISIBLE_DEVICES is {}: unset it. {}",
                           *visible ? visible : "set but empty", kWithout);
    for (const DriverAdvice& advice : kDriverAdvice)
        if (advice.code == code)
            return fmt::format("no usable GPU: {}: {}. {}", driver.in_words(code), advice.text,
                               kWithout);
    return fmt::format("no usable GPU: {}. {}", driver.in_words(code), kWithout);
}

// The kernel module's version, e.g. "580.159.04": the first word of the file's first line that
// starts with a digit and has a dot ("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04").
static std::string module_version() {
    try {
        std::string text = read_file("/proc/driver/nvidia/version");
        std::string_view line = text;
        for (std::string_view word : split(line.substr(0, line.find('\n')), ' '))
            if (!word.empty() && word[0] >= '0' && word[0] <= '9' && word.find('.') != word.npos)
                return std::string(word);
    } catch (const Error&) {  // not there in some containers
    }
    return "";
}

// "GPU-5a1c2d3e-…", as nvidia-smi -L prints it.
static std::string uuid_of(const Driver& driver, int device) {
    std::array<unsigned char, 16> bytes = {};
    if (driver.devices.GetUuid(bytes.data(), device) != 0) return "";
    std::string text = "GPU";
    for (size_t i = 0; i < bytes.size(); ++i) {
        bool starts_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        text += fmt::format("{}{:02x}", starts_group ? "-" : "", bytes[i]);
    }
    return text;
}

static GpuDescription describe(const Driver& driver, int device, int cuda_version) {
    enum Attribute {  // CU_DEVICE_ATTRIBUTE_…
        shared_per_block_optin = 97,
        clock_khz = 13,
        sm_count = 16,
        memory_clock_khz = 36,
        bus_bits = 37,
        l2_bytes = 38,
        threads_per_sm = 39,
        major = 75,
        minor = 76,
        shared_per_sm = 81,
        registers_per_sm = 82,
        blocks_per_sm = 106,
    };
    auto attribute = [&](Attribute which) {  // an attribute that a driver lacks is 0: unknown
        int value = 0;
        return driver.devices.GetAttribute(&value, which, device) == 0 ? value : 0;
    };
    GpuDescription gpu;
    gpu.uuid = uuid_of(driver, device);
    std::array<char, 256> text = {};
    if (driver.devices.GetName(text.data(), text.size() - 1, device) == 0) gpu.name = text.data();
    text = {};
    driver.devices.GetPCIBusId(text.data(), text.size() - 1, device);
    gpu.arch = fmt::format("sm_{}{}", attribute(major), attribute(minor));
    gpu.driver = module_version();
    if (gpu.driver.empty()) gpu.driver = Nvml(text.data()).driver_version();
    if (gpu.driver.empty())
        gpu.driver = fmt::format("CUDA {}.{}", cuda_version / 1000, cuda_version % 1000 / 10);
    gpu.sm_count = attribute(sm_count);
    gpu.max_threads_per_sm = attribute(threads_per_sm);
    gpu.max_blocks_per_sm = attribute(blocks_per_sm);
    gpu.registers_per_sm = attribute(registers_per_sm);
    gpu.shared_bytes_per_sm = attribute(shared_per_sm);
    gpu.shared_bytes_per_block = attribute(shared_per_block_optin);
    size_t total = 0;
    if (driver.devices.TotalMem(&total, device) == 0) gpu.total_bytes = total;
    gpu.l2_bytes = static_cast<uint64_t>(attribute(l2_bytes));
    gpu.sm_clock_mhz = attribute(clock_khz) / 1000.0;
    gpu.memory_clock_mhz = attribute(memory_clock_khz) / 1000.0;
    gpu.memory_bus_bits = attribute(bus_bits);
    return gpu;
}

static std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

static bool is_meant(const GpuDescription& gpu, const std::string& wish) {
    int64_t index = 0;
    if (parse_integer(wish, index)) return index == gpu.index;
    return lower(gpu.uuid).starts_with(lower(wish)) ||
           lower(gpu.name).find(lower(wish)) != std::string::npos;
}

// Sets status.gpu to the first that `wish` means.
static void choose(GpuStatus& status, const std::string& wish) {
    for (const GpuDescription& gpu : status.all) {
        if (!wish.empty() && !is_meant(gpu, wish)) continue;
        status.gpu = gpu;
        status.found = true;
        return;
    }
    std::string list;
    for (const GpuDescription& gpu : status.all)
        list += fmt::format("\n    {}  {}  {}", gpu.index, gpu.name, gpu.uuid);
    status.problem = fmt::format(
        "no GPU here is meant by \"{}\": give an index, a part of a name, or the start of a "
        "UUID:{}",
        wish, list);
}

GpuStatus probe(const Driver& driver, const std::string& wish) {
    GpuStatus status;
    auto failed = [&](Driver::Code code) {
        if (code != 0) status.problem = problem_of(driver, code);
        return code != 0;
    };
    int version = 0, count = 0;
    if (driver.DriverGetVersion(&version) == 0 && version > 0 && version < kOldestCuda) {
        status.problem = fmt::format(
            "the NVIDIA driver is too old: it knows CUDA {}.{}, and 12.0 is needed: install driver "
            "525 or newer. {}",
            version / 1000, version % 1000 / 10, kWithout);
        return status;
    }
    if (failed(driver.Init(0)) || failed(driver.devices.GetCount(&count))) return status;
    if (failed(count == 0 ? int{Driver::kNoDevice} : 0)) return status;
    for (int index = 0; index < count; ++index) {
        int device = 0;
        if (failed(driver.devices.Get(&device, index))) return status;
        status.all.push_back(describe(driver, device, version));
        status.all.back().index = index;
    }
    choose(status, wish);
    return status;
}

namespace {
struct FoundGpu {
    std::unique_ptr<const Driver> driver;
    GpuStatus status;
};
}  // namespace

static std::string wished_gpu;
static std::function<GpuStatus()> ask_elsewhere;

void choose_gpu(const std::string& wish) { wished_gpu = wish; }
void let_gpu_status_ask(std::function<GpuStatus()> ask) { ask_elsewhere = std::move(ask); }

static std::unique_ptr<const Driver> loaded_driver(std::string& problem) {
    auto driver = load_driver(driver_library(), problem);
    if (!driver && kInBrowser)
        problem = fmt::format("a browser reaches no graphics card. {}", kWithout);
    else if (!driver)
        problem += fmt::format(
            ". With an NVIDIA card, install its driver (Debian: nvidia-driver; Ubuntu: "
            "ubuntu-drivers install); in a container, start it with --gpus all. {}",
            kWithout);
    return driver;
}

std::string missing_driver() {
    std::string problem;
    loaded_driver(problem);
    return problem;
}

static const FoundGpu& find_gpu() {
    static const FoundGpu found = [] {
        FoundGpu result;
        result.driver = loaded_driver(result.status.problem);
        DriverCall call(DriverCall::kWakingLimitS);
        if (result.driver) result.status = probe(*result.driver, wished_gpu);
        return result;
    }();
    return found;
}

const GpuStatus& gpu_status() {
    if (!ask_elsewhere) return find_gpu().status;
    static const GpuStatus status = ask_elsewhere();
    return status;
}

const Driver* the_driver() { return find_gpu().status.found ? find_gpu().driver.get() : nullptr; }

}  // namespace lanewise
