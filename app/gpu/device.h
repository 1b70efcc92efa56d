// The GPU, through the CUDA driver loaded at run time (libcuda.so.1). The only folder that knows
// its API; owners free what they hold; every status is checked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/memory/tensor_map.h"
#include "sim/memory/texture.h"
#include "sim/warp/machine.h"

namespace lanewise {

struct GpuDescription {
    int index = 0;       // among those that the driver shows
    std::string name;    // "NVIDIA H200"
    std::string uuid;    // "GPU-5a1c…": the same card for every process of the machine
    std::string arch;    // "sm_90"
    std::string driver;  // e.g. "580.159.04"; "CUDA 13.0" where the version file is missing
    int sm_count = 0;
    int max_threads_per_sm = 0, max_blocks_per_sm = 0, registers_per_sm = 0;
    int shared_bytes_per_sm = 0, shared_bytes_per_block = 0;
    uint64_t total_bytes = 0, l2_bytes = 0;
    double sm_clock_mhz = 0, memory_clock_mhz = 0;
    int memory_bus_bits = 0;
};

struct GpuStatus {
    bool found = false;
    GpuDescription gpu;               // the one in use
    std::vector<GpuDescription> all;  // every one that the driver shows
    std::string problem;              // why there is none, with what to do; empty when found
};
// Loads the driver at the first call; never throws.
const GpuStatus& gpu_status();

// Which GPU is used: an index ("1"), the start of a UUID, or a part of a name in any case ("h200");
// "" is the first. To be called before the first gpu_status().
void choose_gpu(const std::string& wish);

// Lets gpu_status() ask somebody else, so that this process itself never initialises the driver: an
// engine asks its worker. To be called before the first gpu_status().
void let_gpu_status_ask(std::function<GpuStatus()> ask);

// Why the driver's library cannot be loaded, with what to do; "" where it can. Initialises nothing.
std::string missing_driver();

// Owners of driver objects. All calls throw Error: needs_gpu where there is none, failed_check
// where a launch failed, with the driver's own name for the error.
class GpuBuffer;
class GpuModule;
class GpuEvent;
class GpuGraph;
class GpuTexture;

// All work goes into one stream, in order. One thread at a time.
class Gpu {
  public:
    // Opens the chosen GPU and keeps its primary context current on the calling thread.
    static Gpu& open();

    // True after an error that only a new process cures: an illegal access of a kernel, say, or
    // abandon(). Every call then throws; owners no longer free, because that might hang. Leave such
    // a process by std::_Exit: the driver's own cleaning up might wait for the kernel.
    static bool lost();
    // What lost it: illegal_access, misaligned, illegal_instruction, stack_overflow, assertion,
    // memory_error, endless or launch_failure; "" where it is not lost.
    static std::string fault();
    // Gives the context up: for a kernel that does not end.
    static void abandon();
    // Whether a call into the driver has not come back for longer than any may take
    // (driver_call.h). May be asked from any thread.
    static bool hangs();

    const GpuDescription& description() const;
    uint64_t free_bytes() const;
    double sm_clock_mhz_now() const;  // through NVML where present, else 0
    // Why the card is slower than it could be just now ("it is too hot"); "" where it is not, or
    // where that is unknown.
    std::string slowed_down_by() const;

    GpuBuffer allocate(uint64_t bytes);
    // code: a cubin, or PTX, which the driver compiles now (some 10 ms to seconds). What it says of
    // PTX that it refuses is in the Error.
    GpuModule load(const std::string& code, const std::string& entry);
    // arguments: packed as in Machine::run. Where the kernel takes a tensor map, `offsets` says
    // where each parameter begins there: the card's constant bank has it elsewhere, as its
    // parameters begin at an address that is no multiple of 64.
    void launch(const GpuModule& kernel, const LaunchShape& shape,
                std::span<const std::byte> arguments, std::span<const size_t> offsets = {});
    // The same of a kernel whose blocks wait for each other: all are on the card at once, or it
    // throws Error(bad_input). `offsets`: of every parameter.
    void launch_together(const GpuModule& kernel, const LaunchShape& shape,
                         std::span<const std::byte> arguments, std::span<const size_t> offsets);
    // The same in clusters of so many blocks. Throws Error(bad_input) where the driver knows none.
    void launch_in_clusters(const GpuModule& kernel, const LaunchShape& shape, const Dim3& cluster,
                            std::span<const std::byte> arguments, std::span<const size_t> offsets);
    // Sets the first bytes of a variable of the kernel's module, __constant__ or __device__. Does
    // nothing where the compiler has left the variable out.
    void set_variable(const GpuModule& kernel, const std::string& name,
                      std::span<const std::byte> bytes);
    // The map of a tensor in this card's memory, as a kernel's parameter takes it. `type` is that
    // of its elements: "f32", "u8", …
    TensorMapBytes describe(const TensorMap& tensor, std::string_view type);
    // The object of a texture or a surface. Its elements are those of `buffer`, from the first; where
    // only a CUDA array will do (Texture::Layout), it gets one, which copy_in() and copy_out() fill
    // and read.
    GpuTexture create(const Texture& texture, const GpuBuffer& buffer);
    void copy_in(const GpuTexture& texture, const GpuBuffer& from);
    void copy_out(GpuBuffer& to, const GpuTexture& texture);
    // How many blocks of the kernel the driver says fit one multiprocessor; 0 where none does.
    int blocks_per_sm(const GpuModule& kernel, uint32_t threads, uint32_t dynamic_shared_bytes);
    void fill_words(GpuBuffer& buffer, uint32_t word);  // asynchronous memset
    void copy_on_device(GpuBuffer& to, const GpuBuffer& from, uint64_t bytes);
    void upload(GpuBuffer& to, std::span<const std::byte> bytes);
    void download(std::span<std::byte> bytes, const GpuBuffer& from, uint64_t offset = 0);
    void record(GpuEvent& event);
    bool finished(const GpuEvent& event);  // whether the work before it is done; does not wait
    // The launches, copies and fills that `work` asks for, recorded instead of done; launched
    // together later with no pause for the CPU between them.
    GpuGraph capture(const std::function<void()>& work);
    void launch(const GpuGraph& graph);
    void synchronize();
    GpuEvent event();
    void* stream() const;  // for the libraries of this folder, whose calls go into it as well

  private:
    Gpu();
    struct State;
    std::unique_ptr<State> state_;
};

class GpuBuffer {
  public:
    GpuBuffer() = default;
    GpuBuffer(GpuBuffer&&) noexcept;
    GpuBuffer& operator=(GpuBuffer&&) noexcept;
    ~GpuBuffer();
    uint64_t address() const { return address_; }
    uint64_t bytes() const { return bytes_; }

  private:
    friend class Gpu;
    uint64_t address_ = 0, bytes_ = 0;
};

class GpuModule {
  public:
    GpuModule() = default;
    GpuModule(GpuModule&&) noexcept;
    GpuModule& operator=(GpuModule&&) noexcept;
    ~GpuModule();

  private:
    friend class Gpu;
    void* module_ = nullptr;
    void* function_ = nullptr;
};

class GpuTexture {
  public:
    GpuTexture() = default;
    GpuTexture(GpuTexture&&) noexcept;
    GpuTexture& operator=(GpuTexture&&) noexcept;
    ~GpuTexture();
    uint64_t handle() const { return object_; }
    bool has_array() const { return array_ != nullptr; }

  private:
    friend class Gpu;
    Texture texture_;
    uint64_t object_ = 0;
    void* array_ = nullptr;
};

class GpuEvent {
  public:
    GpuEvent() = default;
    GpuEvent(GpuEvent&&) noexcept;
    GpuEvent& operator=(GpuEvent&&) noexcept;
    ~GpuEvent();
    // Microseconds from `earlier` to this; both recorded, waits for this one.
    double us_since(const GpuEvent& earlier) const;

  private:
    friend class Gpu;
    void* event_ = nullptr;
};

class GpuGraph {
  public:
    GpuGraph() = default;
    GpuGraph(GpuGraph&&) noexcept;
    GpuGraph& operator=(GpuGraph&&) noexcept;
    ~GpuGraph();

  private:
    friend class Gpu;
    void* executable_ = nullptr;
};

}  // namespace lanewise
