#include "gpu/device.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "gpu/driver.h"
#include "gpu/driver_call.h"
#include "gpu/driver_use.h"
#include "gpu/nvml.h"

namespace lanewise {

static constexpr unsigned kDefaultSharedBytes = 48 * 1024;
static constexpr int kMaxDynamicSharedBytes = 8;  // CU_FUNC_ATTRIBUTE_…
static constexpr int kAnyClusterAllowed = 14;     // …_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
static constexpr int kCaptureThreadLocal = 1;     // CU_STREAM_CAPTURE_MODE_…

namespace {
struct FaultName {
    Driver::Code code;
    const char* name;
};
}  // namespace
// CUresult, in the order of cuda.h.
static constexpr FaultName kFaults[] = {{214, "memory_error"},        {220, "memory_error"},
                                        {700, "illegal_access"},      {702, "endless"},
                                        {710, "assertion"},           {714, "stack_overflow"},
                                        {715, "illegal_instruction"}, {716, "misaligned"},
                                        {717, "illegal_access"},      {718, "illegal_instruction"},
                                        {719, "launch_failure"}};

struct Gpu::State {
    void* context = nullptr;
    void* stream = nullptr;
    std::unique_ptr<const Nvml> nvml;
};

Gpu& Gpu::open() {
    static Gpu gpu;
    const UsableDriver api = usable_driver();
    check_driver(api->contexts.SetCurrent(gpu.state_->context), "to switch to its context");
    return gpu;
}

Gpu::Gpu() {
    const UsableDriver api(usable_api(), DriverCall::kWakingLimitS);
    state_ = std::make_unique<State>();
    int device = 0;
    const GpuDescription& gpu = gpu_status().gpu;
    check_driver(api->devices.Get(&device, gpu.index), fmt::format("device {}", gpu.index));
    Driver::Code code = api->devices.PrimaryCtxRetain(&state_->context, device);
    if (code == Driver::kDeviceUnavailable)
        throw Error(Status::needs_gpu,
                    fmt::format("another process has {} (GPU {}) for itself, as its compute mode "
                                "is exclusive. Wait until that one ends, choose another GPU with "
                                "--gpu, or have `nvidia-smi -c DEFAULT` run as root",
                                gpu.name, gpu.index));
    check_driver(code, "a context");
    check_driver(api->contexts.SetCurrent(state_->context), "to switch to its context");
    check_driver(api->streams.Create(&state_->stream, 0), "a stream");
    std::array<char, 64> bus_id = {};
    api->devices.GetPCIBusId(bus_id.data(), bus_id.size() - 1, device);
    state_->nvml = std::make_unique<const Nvml>(bus_id.data());
}

bool Gpu::lost() { return gpu_is_lost; }
void Gpu::abandon() {
    fault_code = 702;
    gpu_is_lost = true;
}
bool Gpu::hangs() { return DriverCall::overdue(); }

std::string Gpu::fault() {
    if (!gpu_is_lost) return "";
    for (const FaultName& one : kFaults)
        if (one.code == fault_code) return one.name;
    return "launch_failure";
}

const GpuDescription& Gpu::description() const { return gpu_status().gpu; }
void* Gpu::stream() const { return state_->stream; }
double Gpu::sm_clock_mhz_now() const { return state_->nvml->sm_clock_mhz(); }
std::string Gpu::slowed_down_by() const { return state_->nvml->slowed_down_by(); }

uint64_t Gpu::free_bytes() const {
    size_t free = 0, total = 0;
    check_driver(usable_driver()->memory.GetInfo(&free, &total), "to tell its free memory");
    return free;
}

GpuBuffer Gpu::allocate(uint64_t bytes) {
    GpuBuffer buffer;
    Driver::Address address = 0;
    Driver::Code code = usable_driver()->memory.Alloc(&address, bytes);
    if (code == Driver::kOutOfMemory)
        throw Error(Status::bad_input,
                    fmt::format("{} of GPU memory are needed and {} are free: choose a smaller "
                                "matrix",
                                in_bytes(bytes), in_bytes(free_bytes())));
    check_driver(code, fmt::format("{} of memory", in_bytes(bytes)));
    buffer.address_ = address;
    buffer.bytes_ = bytes;
    return buffer;
}

static bool is_ptx(const std::string& code) {
    return !code.starts_with(
        "\x7f"
        "ELF");
}

// The driver says why line by line: "ptxas application ptx input, line 9; fatal   : …".
[[noreturn]] static void throw_ptx_refused(const std::string& why, const std::string& log,
                                           const GpuDescription& gpu) {
    std::vector<std::string_view> lines = lines_of(trimmed(log));
    std::string first = lines.empty() ? "" : std::string(trimmed(lines.front()));
    throw Error(
        Status::failed_check,
        fmt::format("the driver ({}) cannot compile the kernel's PTX for {} ({}): {}. Where "
                    "it is of a newer version than the driver knows, update the driver",
                    gpu.driver, gpu.name, gpu.arch, first.empty() ? why : first));
}

GpuModule Gpu::load(const std::string& image, const std::string& entry) {
    const UsableDriver api = usable_driver();
    GpuModule module;
    std::array<char, 4096> log = {};
    int options[] = {Driver::kErrorLog, Driver::kErrorLogBytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
    Driver::Code code = api->modules.LoadDataEx(&module.module_, image.c_str(),
                                                is_ptx(image) ? 2 : 0, options, values);
    if (code == Driver::kNoJitCompiler)
        throw Error(Status::failed_check,
                    "the kernel is PTX, which the driver compiles with libnvidia-ptxjitcompiler, "
                    "and that library is missing: install the rest of the driver");
    if (is_ptx(image) &&
        (code == Driver::kInvalidPtx || code == Driver::kInvalidImage ||
         code == Driver::kNoBinaryForGpu || code == Driver::kUnsupportedPtxVersion))
        throw_ptx_refused(api->in_words(code), log.data(), description());
    if (code == Driver::kInvalidImage || code == Driver::kNoBinaryForGpu ||
        code == Driver::kUnsupportedPtxVersion)
        throw Error(
            Status::failed_check,
            fmt::format("the driver cannot load the compiled kernel: {}. It was compiled for "
                        "another card than {} ({}), or by a CUDA toolkit newer than the driver "
                        "({}). Update the driver, or use an older toolkit (CUDA_HOME)",
                        api->in_words(code), description().name, description().arch,
                        description().driver));
    check_driver(code, "to load the compiled kernel");
    check_driver(api->modules.GetFunction(&module.function_, module.module_, entry.c_str()),
          "to find the kernel " + entry);
    return module;
}

static void allow_dynamic_shared(const UsableDriver& api, void* function, uint32_t bytes) {
    if (bytes > kDefaultSharedBytes)
        check_driver(api->kernels.FuncSetAttribute(function, kMaxDynamicSharedBytes,
                                            static_cast<int>(bytes)),
              fmt::format("{} of dynamic shared memory", in_bytes(bytes)));
}

int Gpu::blocks_per_sm(const GpuModule& kernel, uint32_t threads, uint32_t dynamic_shared_bytes) {
    const UsableDriver api = usable_driver();
    allow_dynamic_shared(api, kernel.function_, dynamic_shared_bytes);
    int blocks = 0;
    check_driver(api->kernels.OccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, kernel.function_, static_cast<int>(threads), dynamic_shared_bytes),
          "to ask for the occupancy");
    return blocks;
}

static void check_launched(Driver::Code code, const LaunchShape& shape) {
    const Dim3 &grid = shape.grid, &block = shape.block;
    if (code == Driver::kOutOfMemory)
        throw Error(Status::failed_check,
                    "the kernel needs more GPU memory than there is. What each thread keeps for "
                    "itself (large local arrays, deep calls) takes memory for every thread that "
                    "the card can hold at once. Let it keep less");
    check_driver(code, fmt::format("to launch a grid of {}x{}x{} blocks of {}x{}x{} threads", grid.x,
                            grid.y, grid.z, block.x, block.y, block.z));
}

void Gpu::launch(const GpuModule& kernel, const LaunchShape& shape,
                 std::span<const std::byte> arguments, std::span<const size_t> offsets) {
    const UsableDriver api = usable_driver();
    allow_dynamic_shared(api, kernel.function_, shape.dynamic_shared_bytes);
    size_t size = arguments.size();
    // CU_LAUNCH_PARAM_BUFFER_POINTER, …_BUFFER_SIZE, …_END: parameters packed by the caller.
    void* extra[] = {reinterpret_cast<void*>(1), const_cast<std::byte*>(arguments.data()),
                     reinterpret_cast<void*>(2), &size, nullptr};
    std::vector<void*> parameters;
    for (size_t offset : offsets) parameters.push_back(const_cast<std::byte*>(&arguments[offset]));
    bool is_packed = size > 0 && parameters.empty();
    const Dim3 &grid = shape.grid, &block = shape.block;
    check_launched(
        api->kernels.LaunchKernel(kernel.function_, grid.x, grid.y, grid.z, block.x, block.y,
                                  block.z, shape.dynamic_shared_bytes, state_->stream,
                                  parameters.empty() ? nullptr : parameters.data(),
                                  is_packed ? extra : nullptr),
        shape);
}

void Gpu::launch_together(const GpuModule& kernel, const LaunchShape& shape,
                          std::span<const std::byte> arguments, std::span<const size_t> offsets) {
    const UsableDriver api = usable_driver();
    allow_dynamic_shared(api, kernel.function_, shape.dynamic_shared_bytes);
    std::vector<void*> parameters;
    for (size_t offset : offsets) parameters.push_back(const_cast<std::byte*>(&arguments[offset]));
    const Dim3 &grid = shape.grid, &block = shape.block;
    Driver::Code code = api->kernels.LaunchCooperativeKernel(
        kernel.function_, grid.x, grid.y, grid.z, block.x, block.y, block.z,
        shape.dynamic_shared_bytes, state_->stream, parameters.data());
    if (code == Driver::kTooManyBlocksAtOnce)
        throw Error(Status::bad_input,
                    fmt::format("too many blocks that wait for each other (grid.sync()): the card "
                                "holds fewer than {} at once; launch fewer, and let each do more",
                                with_thousands(grid.count())));
    check_launched(code, shape);
}

void Gpu::launch_in_clusters(const GpuModule& kernel, const LaunchShape& shape,
                             const Dim3& cluster, std::span<const std::byte> arguments,
                             std::span<const size_t> offsets) {
    constexpr uint64_t kMostPortable = 8;
    const UsableDriver api = usable_driver();
    if (!api->kernels.LaunchKernelEx)
        throw Error(Status::bad_input,
                    "this NVIDIA driver knows no clusters of blocks; install version 520 or newer");
    allow_dynamic_shared(api, kernel.function_, shape.dynamic_shared_bytes);
    if (cluster.count() > kMostPortable)
        check_driver(api->kernels.FuncSetAttribute(kernel.function_, kAnyClusterAllowed, 1),
                     fmt::format("clusters of {} blocks", cluster.count()));
    std::vector<void*> parameters;
    for (size_t offset : offsets) parameters.push_back(const_cast<std::byte*>(&arguments[offset]));
    const Driver::LaunchAttribute attribute{.blocks = {cluster.x, cluster.y, cluster.z}};
    const Dim3 &grid = shape.grid, &block = shape.block;
    const Driver::LaunchConfig config{.grid = {grid.x, grid.y, grid.z},
                                      .block = {block.x, block.y, block.z},
                                      .shared_bytes = shape.dynamic_shared_bytes,
                                      .stream = state_->stream,
                                      .attributes = &attribute,
                                      .attribute_count = 1};
    check_launched(
        api->kernels.LaunchKernelEx(&config, kernel.function_,
                                    parameters.empty() ? nullptr : parameters.data(), nullptr),
        shape);
}

// CUtensorMapDataType.
static constexpr struct {
    std::string_view type;
    int code;
} kTensorTypes[] = {{"u8", 0},  {"i8", 0},  {"u16", 1}, {"i16", 1}, {"u32", 2}, {"i32", 3},
                    {"u64", 4}, {"i64", 5}, {"f16", 6}, {"f32", 7}, {"f64", 8}, {"bf16", 9}};

TensorMapBytes Gpu::describe(const TensorMap& tensor, std::string_view type) {
    constexpr int kNotInterleaved = 0, kNotPromoted = 0, kZerosOutside = 0;
    alignas(64) TensorMapBytes bytes{};
    int code = kTensorTypes[0].code;
    for (const auto& row : kTensorTypes)
        if (row.type == type) code = row.code;
    if (tensor.is_im2col) {
        check_driver(usable_driver()->kernels.TensorMapEncodeIm2col(
                  bytes.data(), code, tensor.dimensions, reinterpret_cast<void*>(tensor.address),
                  tensor.sizes.data(), tensor.strides.data(), tensor.lower.data(),
                  tensor.upper.data(), tensor.box[0], tensor.box[1],
                  tensor.element_strides.data(), kNotInterleaved, static_cast<int>(tensor.swizzle),
                  kNotPromoted, kZerosOutside),
              "to describe a tensor for im2col (cards before sm_90 cannot)");
        return bytes;
    }
    check_driver(usable_driver()->kernels.TensorMapEncodeTiled(
              bytes.data(), code, tensor.dimensions, reinterpret_cast<void*>(tensor.address),
              tensor.sizes.data(), tensor.strides.data(), tensor.box.data(),
              tensor.element_strides.data(), kNotInterleaved, static_cast<int>(tensor.swizzle),
              kNotPromoted, kZerosOutside),
          "to describe a tensor (cards before sm_90 cannot)");
    return bytes;
}

static void must_hold(const GpuBuffer& buffer, uint64_t offset, uint64_t bytes) {
    if (offset > buffer.bytes() || bytes > buffer.bytes() - offset)
        throw Error(Status::bad_input,
                    fmt::format("{} at {} do not lie in a GPU buffer of {}", in_bytes(bytes),
                                offset, in_bytes(buffer.bytes())));
}

void Gpu::fill_words(GpuBuffer& buffer, uint32_t word) {
    check_driver(usable_driver()->memory.MemsetD32Async(buffer.address_, word, buffer.bytes_ / 4,
                                                 state_->stream),
          "to fill memory");
}

void Gpu::copy_on_device(GpuBuffer& to, const GpuBuffer& from, uint64_t bytes) {
    must_hold(to, 0, bytes);
    must_hold(from, 0, bytes);
    check_driver(
        usable_driver()->memory.MemcpyDtoDAsync(to.address_, from.address_, bytes, state_->stream),
        "to copy on the card");
}

void Gpu::set_variable(const GpuModule& kernel, const std::string& name,
                       std::span<const std::byte> bytes) {
    const UsableDriver api = usable_driver();
    uint64_t address = 0;
    size_t size = 0;
    Driver::Code code = api->modules.GetGlobal(&address, &size, kernel.module_, name.c_str());
    if (code == Driver::kNotFound) return;
    check_driver(code, "to find the variable " + name);
    size = std::min(size, bytes.size());
    check_driver(api->memory.MemcpyHtoDAsync(address, bytes.data(), size, state_->stream),
          "to copy to the variable " + name);
    synchronize();
}

void Gpu::upload(GpuBuffer& to, std::span<const std::byte> bytes) {
    must_hold(to, 0, bytes.size());
    check_driver(usable_driver()->memory.MemcpyHtoDAsync(to.address_, bytes.data(), bytes.size(),
                                                  state_->stream),
          "to copy to the card");
    synchronize();
}

void Gpu::download(std::span<std::byte> bytes, const GpuBuffer& from, uint64_t offset) {
    must_hold(from, offset, bytes.size());
    check_driver(usable_driver()->memory.MemcpyDtoHAsync(bytes.data(), from.address_ + offset,
                                                  bytes.size(), state_->stream),
          "to copy from the card");
    synchronize();
}

void Gpu::synchronize() {
    check_driver(usable_driver()->streams.Synchronize(state_->stream), "to finish");
}

GpuEvent Gpu::event() {
    GpuEvent event;
    check_driver(usable_driver()->events.Create(&event.event_, 0), "an event");
    return event;
}

void Gpu::record(GpuEvent& event) {
    check_driver(usable_driver()->events.Record(event.event_, state_->stream), "to record an event");
}

bool Gpu::finished(const GpuEvent& event) {
    Driver::Code code = usable_driver()->events.Query(event.event_);
    if (code == Driver::kNotReady) return false;
    check_driver(code, "to say whether it has finished");
    return true;
}

GpuGraph Gpu::capture(const std::function<void()>& work) {
    const UsableDriver api = usable_driver();
    void* recorded = nullptr;
    check_driver(api->streams.BeginCapture(state_->stream, kCaptureThreadLocal), "to record a graph");
    try {
        work();
    } catch (...) {  // the stream must leave capture mode, whatever went wrong
        api->streams.EndCapture(state_->stream, &recorded);
        if (recorded) api->graphs.Destroy(recorded);
        throw;
    }
    check_driver(api->streams.EndCapture(state_->stream, &recorded), "to end recording a graph");
    GpuGraph graph;
    Driver::Code code = api->graphs.Instantiate(&graph.executable_, recorded, 0);
    api->graphs.Destroy(recorded);
    check_driver(code, "to prepare a graph");
    return graph;
}

void Gpu::launch(const GpuGraph& graph) {
    check_driver(usable_driver()->graphs.Launch(graph.executable_, state_->stream), "to launch a graph");
}

// ---- Owners ------------------------------------------------------------------------------------

GpuBuffer::GpuBuffer(GpuBuffer&& other) noexcept
    : address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}
GpuBuffer& GpuBuffer::operator=(GpuBuffer&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}
GpuBuffer::~GpuBuffer() {
    if (address_) release([&](const Driver& api) { api.memory.Free(address_); });
}

GpuModule::GpuModule(GpuModule&& other) noexcept
    : module_(std::exchange(other.module_, nullptr)),
      function_(std::exchange(other.function_, nullptr)) {}
GpuModule& GpuModule::operator=(GpuModule&& other) noexcept {
    std::swap(module_, other.module_);
    std::swap(function_, other.function_);
    return *this;
}
GpuModule::~GpuModule() {
    if (module_) release([&](const Driver& api) { api.modules.Unload(module_); });
}

GpuEvent::GpuEvent(GpuEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
GpuEvent& GpuEvent::operator=(GpuEvent&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
}
GpuEvent::~GpuEvent() {
    if (event_) release([&](const Driver& api) { api.events.Destroy(event_); });
}

double GpuEvent::us_since(const GpuEvent& earlier) const {
    const UsableDriver api = usable_driver();
    check_driver(api->events.Synchronize(event_), "to finish");
    float ms = 0;
    check_driver(api->events.ElapsedTime(&ms, earlier.event_, event_), "to tell a time");
    return 1000.0 * static_cast<double>(ms);
}

GpuGraph::GpuGraph(GpuGraph&& other) noexcept
    : executable_(std::exchange(other.executable_, nullptr)) {}
GpuGraph& GpuGraph::operator=(GpuGraph&& other) noexcept {
    std::swap(executable_, other.executable_);
    return *this;
}
GpuGraph::~GpuGraph() {
    if (executable_) release([&](const Driver& api) { api.graphs.ExecDestroy(executable_); });
}

}  // namespace lanewise
