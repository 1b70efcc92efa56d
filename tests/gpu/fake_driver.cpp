#include "fake_driver.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>

#include "fake_kernels.h"

static FakeDriver fake;
extern "C" FakeDriver* the_fake_driver() { return &fake; }

namespace {
using Code = int;
using Address = unsigned long long;
using Work = std::vector<std::function<void()>>;
using Clock = std::chrono::steady_clock;

struct Kernel {
    std::string entry;
};
struct Event {
    double us = 0;
    bool endless = false;
    Clock::time_point happens = {};
};
}  // namespace

static double now_us = 0;     // moved on by work alone
static bool endless = false;  // a kernel that never ends was launched
static Code broken = 0;       // what a faulting kernel makes every later call return
static Work* capturing = nullptr;

// Notes the call; the code to return.
static Code note(const char* symbol) {
    fake.calls.push_back(symbol);
    if (broken != 0) return broken;
    auto told = fake.fail.find(symbol);
    if (told == fake.fail.end()) return 0;
    size_t& good = fake.fail_after[symbol];
    return good > 0 ? (--good, 0) : told->second;
}

// $FAKE_FAIL, as fake_driver.h has it.
static void read_what_fails() {
    const char* text = std::getenv("FAKE_FAIL");
    std::stringstream list(text ? text : "");
    for (std::string one; std::getline(list, one, ',');) {
        size_t equals = one.find('='), at = one.find('@');
        std::string symbol = one.substr(0, equals);
        fake.fail[symbol] = std::atoi(one.c_str() + equals + 1);
        if (at != one.npos) fake.fail_after[symbol] = std::strtoul(&one[at + 1], nullptr, 10);
    }
}

// Does the work now, or puts it into the graph that is being recorded.
static Code enqueue(const char* symbol, std::function<void()> work) {
    Code code = note(symbol);
    if (code != 0) return code;
    capturing ? capturing->push_back(std::move(work)) : work();
    return 0;
}

static void spend(double bytes, double gb_per_s) { now_us += 1e-3 * bytes / gb_per_s; }

static float value_of(float value) { return value; }
static float value_of(unsigned short half) {  // no infinity and no NaN comes here
    int exponent = half >> 10 & 31, mantissa = half & 1023;
    float size = exponent == 0 ? std::ldexp(float(mantissa), -24)
                               : std::ldexp(float(1024 + mantissa), exponent - 25);
    return half & 0x8000 ? -size : size;
}

// c = a * b, of m x n, columns one after the other. With TF32 floats lose their last bits.
template <typename T>
static Code gemm(const char* symbol, int m, int n, int k, const T* a, int lda, const T* b, int ldb,
                 float* c, int ldc) {
    bool cut = fake.math_mode == 3;
    if (fake.library_forgets) --n;
    return enqueue(symbol, [=] {
        auto cut_or_not = [cut](float value) {
            return cut ? std::round(value * 1024) / 1024 : value;
        };
        for (int col = 0; col < n; ++col)
            for (int row = 0; row < m; ++row) {
                float sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += cut_or_not(value_of(a[row + size_t(i) * size_t(lda)])) *
                           cut_or_not(value_of(b[i + size_t(col) * size_t(ldb)]));
                c[row + size_t(col) * size_t(ldc)] = sum;
            }
        spend(2.0 * m * n * k, 50'000);  // 50 TFLOP/s
    });
}

// c = alpha * op(a), of m x n, columns one after the other.
template <typename T>
static Code geam(const char* symbol, int op_a, int m, int n, T alpha, const T* a, int lda, T* c,
                 int ldc) {
    return enqueue(symbol, [=] {
        fake.launched.push_back("geam");
        for (int col = 0; col < n - (fake.library_forgets ? 1 : 0); ++col)
            for (int row = 0; row < m; ++row)
                c[row + col * ldc] = alpha * a[op_a == 1 ? col + row * lda : row + col * lda];
        spend(2.0 * sizeof(T) * m * n, fake.gb_per_s);
    });
}

// What a cuSPARSE descriptor holds: a matrix in compressed rows, or one that lies row by row.
struct FakeMatrix {
    int64_t rows, cols;
    int *offsets, *columns;
    float* values;
};

static Code start(void* function, const char* by) {
    std::string entry = static_cast<Kernel*>(function)->entry;
    if (entry.find("eats_memory") != std::string::npos) return 2;
    if (entry.find("hoards") != std::string::npos) fake.hoarded = fake.memory_bytes / 2;
    return enqueue(by, [entry, arguments = fake.arguments] {
        fake.launched.push_back(entry);
        double bytes = run_fake_kernel(entry, arguments.data(), arguments.size());
        double speed = fake.gb_per_s;
        for (const auto& [part, its_speed] : fake.kernel_gb_per_s)
            if (entry.find(part) != std::string::npos) speed = its_speed;
        spend(bytes, speed);
        if (entry.find("endless") != std::string::npos) endless = true;
        if (Code code = run_hostile_kernel(entry)) broken = code;
    });
}

extern "C" {

// As the real one, which names its threads, and ends with this code where it cannot.
static bool may_name_threads() {
    const std::string name = "/proc/self/task/" + std::to_string(::gettid()) + "/comm";
    const int file = ::open(name.c_str(), O_WRONLY);
    if (file >= 0) ::close(file);
    return file >= 0;
}
Code cuInit(unsigned) {
    if (!may_name_threads()) return 304;  // CUDA_ERROR_OPERATING_SYSTEM
    if (const char* devices = std::getenv("FAKE_DEVICES")) fake.devices = std::atoi(devices);
    read_what_fails();
    return note("cuInit");
}
Code cuDriverGetVersion(int* version) {
    return *version = fake.version, note("cuDriverGetVersion");
}
Code cuGetErrorName(Code code, const char** name) {
    static std::string text;
    text = "CUDA_ERROR_" + std::to_string(code);
    return *name = text.c_str(), 0;
}
Code cuGetErrorString(Code, const char** text) { return *text = "said the fake", 0; }
Code cuDeviceGetCount(int* count) { return *count = fake.devices, note("cuDeviceGetCount"); }
Code cuDeviceGet(int* device, int ordinal) { return *device = ordinal, note("cuDeviceGet"); }
Code cuDeviceGetName(char* name, int length, int device) {
    const char* text = device == 0 ? "Fake GPU" : "Other Fake";
    return std::strncpy(name, text, static_cast<size_t>(length)), note("cuDeviceGetName");
}
Code cuDeviceGetUuid_v2(unsigned char* bytes, int device) {
    for (int i = 0; i < 16; ++i) bytes[i] = static_cast<unsigned char>(16 * i + device);
    return 0;
}
Code cuDeviceGetPCIBusId(char* id, int length, int) {
    return std::strncpy(id, "ffff:ff:ff.f", static_cast<size_t>(length)), 0;
}
Code cuDeviceGetAttribute(int* value, int attribute, int) {
    static const std::map<int, int> kValues = {
        {75, 9},       {76, 0},    {16, 132},    {13, 1980000}, {36, 3201000}, {37, 6144},
        {38, 1 << 20}, {39, 2048}, {81, 233472}, {82, 65536},   {97, 232448},  {106, 32}};
    auto known = kValues.find(attribute);
    if (known == kValues.end()) return 1;
    return *value = known->second, 0;
}
Code cuDeviceTotalMem_v2(size_t* bytes, int) { return *bytes = fake.memory_bytes, 0; }
Code cuDevicePrimaryCtxRetain(void** context, int) {
    return *context = &fake, note("cuDevicePrimaryCtxRetain");
}
Code cuCtxSetCurrent(void*) { return note("cuCtxSetCurrent"); }
Code cuCtxGetCurrent(void** context) { return *context = &fake, note("cuCtxGetCurrent"); }

Code cuMemGetInfo_v2(size_t* free, size_t* total) {
    *total = fake.memory_bytes;
    return *free = *total - fake.hoarded, note("cuMemGetInfo_v2");
}
Code cuMemAlloc_v2(Address* address, size_t bytes) {
    if (Code code = note("cuMemAlloc_v2")) return code;
    if (bytes > fake.memory_bytes) return 2;
    *address = reinterpret_cast<Address>(std::malloc(bytes));
    return ++fake.allocations, 0;
}
Code cuMemFree_v2(Address address) {
    std::free(reinterpret_cast<void*>(address));
    return --fake.allocations, note("cuMemFree_v2");
}
Code cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void*) {
    return std::memcpy(reinterpret_cast<void*>(to), from, bytes), note("cuMemcpyHtoDAsync_v2");
}
Code cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, void*) {
    return std::memcpy(to, reinterpret_cast<void*>(from), bytes), note("cuMemcpyDtoHAsync_v2");
}
Code cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void*) {
    return enqueue("cuMemcpyDtoDAsync_v2", [=] {
        fake.launched.push_back("copy");
        std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
        spend(2.0 * static_cast<double>(bytes), fake.gb_per_s);
    });
}
Code cuMemsetD32Async(Address to, unsigned word, size_t words, void*) {
    return enqueue("cuMemsetD32Async",
                   [=] { std::fill_n(reinterpret_cast<unsigned*>(to), words, word); });
}

// The log has what ptxas says of PTX with a mistake in it.
Code cuModuleLoadDataEx(void** module, const void*, unsigned count, int* options, void** values) {
    if (Code code = note("cuModuleLoadDataEx")) {
        for (unsigned i = 0; i < count; ++i)
            if (options[i] == 5)
                std::strcpy(static_cast<char*>(values[i]),
                            "ptxas application ptx input, line 9; fatal   : Unknown opcode\n"
                            "ptxas fatal   : Ptx assembly aborted due to errors\n");
        return code;
    }
    return *module = new Kernel, ++fake.modules, 0;
}
Code cuModuleUnload(void* module) {
    delete static_cast<Kernel*>(module);
    return --fake.modules, note("cuModuleUnload");
}
Code cuModuleGetFunction(void** function, void* module, const char* name) {
    if (Code code = note("cuModuleGetFunction")) return code;
    fake.visible_entry = static_cast<Kernel*>(module)->entry = name;
    return *function = module, 0;
}
// Every variable that is asked for is one of 64 bytes of its own, whatever module it is of.
Code cuModuleGetGlobal_v2(Address* address, size_t* bytes, void*, const char* name) {
    if (Code code = note("cuModuleGetGlobal_v2")) return code;
    static std::map<std::string, std::array<unsigned char, 64>> variables;
    *address = reinterpret_cast<Address>(variables[name].data());
    return *bytes = 64, 0;
}
Code cuFuncSetAttribute(void*, int, int) { return note("cuFuncSetAttribute"); }
Code cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, size_t) {
    return *blocks = 2048 / threads, note("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}
// Not the driver's layout, which is not public: the address, then what else it was told.
Code cuTensorMapEncodeTiled(void* map, int type, unsigned dimensions, void* address,
                            const unsigned long long* sizes, const unsigned long long* strides,
                            const unsigned* box, const unsigned*, int, int swizzle, int, int) {
    unsigned long long words[16] = {reinterpret_cast<Address>(address),
                                    static_cast<unsigned>(type),
                                    dimensions,
                                    static_cast<unsigned>(swizzle),
                                    sizes[0],
                                    sizes[1],
                                    strides[0],
                                    box[0],
                                    box[1]};
    return std::memcpy(map, words, sizeof words), note("cuTensorMapEncodeTiled");
}
// As above, then the corners of W and H, the channels and the pixels, the step in W, and what all else
// would be: no interleaving, promotion or NaNs.
Code cuTensorMapEncodeIm2col(void* map, int type, unsigned dimensions, void* address,
                             const unsigned long long* sizes, const unsigned long long* strides,
                             const int* lower, const int* upper, unsigned channels, unsigned pixels,
                             const unsigned* steps, int interleave, int swizzle, int promotion,
                             int outside) {
    auto word = [](int n) { return static_cast<unsigned long long>(static_cast<long long>(n)); };
    unsigned long long words[16] = {reinterpret_cast<Address>(address),
                                    static_cast<unsigned>(type),
                                    dimensions,
                                    static_cast<unsigned>(swizzle),
                                    sizes[0],
                                    sizes[3],
                                    strides[0],
                                    strides[2],
                                    word(lower[0]),
                                    word(lower[1]),
                                    word(upper[0]),
                                    word(upper[1]),
                                    channels,
                                    pixels,
                                    steps[1],
                                    word(interleave + promotion + outside)};
    return std::memcpy(map, words, sizeof words), note("cuTensorMapEncodeIm2col");
}
Code cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                    unsigned bz, unsigned shared, void*, void** parameters, void** extra) {
    unsigned* grid = fake.grid;
    grid[0] = gx, grid[1] = gy, grid[2] = gz;
    fake.block[0] = bx, fake.block[1] = by, fake.block[2] = bz;
    fake.shared_bytes = shared;
    fake.arguments.clear();
    if (extra) {  // pointer and size, as the header of the real one lists them
        auto first = static_cast<unsigned char*>(extra[1]);
        fake.arguments.assign(first, first + *static_cast<size_t*>(extra[3]));
    }
    if (parameters) {  // which lie in one block of memory, the first in front
        auto first = static_cast<unsigned char*>(parameters[0]);
        fake.arguments.assign(first, first + fake.argument_bytes);
    }
    return start(function, "cuLaunchKernel");
}
// No more blocks at once than 1,000.
Code cuLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                               unsigned by, unsigned bz, unsigned shared, void*,
                               void** parameters) {
    if (gx * gy * gz > 1000) return 720;
    fake.grid[0] = gx, fake.grid[1] = gy, fake.grid[2] = gz;
    fake.block[0] = bx, fake.block[1] = by, fake.block[2] = bz;
    fake.shared_bytes = shared;
    auto first = static_cast<unsigned char*>(parameters[0]);
    fake.arguments.assign(first, first + fake.argument_bytes);
    return start(function, "cuLaunchCooperativeKernel");
}

// As cuda.h lays it out: CUlaunchConfig, with one CUlaunchAttribute of number 4.
Code cuLaunchKernelEx(const void* config, void* function, void** parameters, void**) {
    struct Attribute {
        int id, padding;
        unsigned value[16];
    };
    struct Config {
        unsigned grid[3], block[3], shared;
        void* stream;
        const Attribute* attributes;
        unsigned count;
    };
    static_assert(sizeof(Attribute) == 72 && sizeof(Config) == 56);
    const auto& told = *static_cast<const Config*>(config);
    if (told.count != 1 || told.attributes->id != 4) return 1;
    for (int i = 0; i < 3; ++i) {
        fake.grid[i] = told.grid[i], fake.block[i] = told.block[i];
        fake.cluster[i] = told.attributes->value[i];
        if (fake.cluster[i] == 0 || told.grid[i] % fake.cluster[i] != 0) return 912;
    }
    fake.shared_bytes = told.shared;
    auto first = parameters ? static_cast<unsigned char*>(parameters[0]) : nullptr;
    if (first) fake.arguments.assign(first, first + fake.argument_bytes);
    return start(function, "cuLaunchKernelEx");
}

// Objects and arrays are what they were told: the first 144 bytes of their description.
Code cuTexObjectCreate(unsigned long long* object, const void* resource, const void* texture,
                       const void*) {
    if (Code code = note("cuTexObjectCreate")) return code;
    auto* kept = new FakeObject;
    std::memcpy(kept->resource, resource, sizeof kept->resource);
    std::memcpy(kept->texture, texture, sizeof kept->texture);
    fake.textures.last = *kept;
    return *object = reinterpret_cast<Address>(kept), ++fake.textures.alive, 0;
}
Code cuTexObjectDestroy(unsigned long long object) {
    delete reinterpret_cast<FakeObject*>(object);
    return --fake.textures.alive, note("cuTexObjectDestroy");
}
Code cuSurfObjectCreate(unsigned long long* object, const void* resource) {
    if (Code code = note("cuSurfObjectCreate")) return code;
    auto* kept = new FakeObject{};
    std::memcpy(kept->resource, resource, sizeof kept->resource);
    return *object = reinterpret_cast<Address>(kept), ++fake.textures.alive, 0;
}
Code cuSurfObjectDestroy(unsigned long long object) { return cuTexObjectDestroy(object); }
// As CUDA_ARRAY3D_DESCRIPTOR: width, height, depth, format, channels, flags; elements of 4 bytes.
Code cuArray3DCreate_v2(void** array, const void* description) {
    if (Code code = note("cuArray3DCreate_v2")) return code;
    const auto* sizes = static_cast<const size_t*>(description);
    std::memcpy(fake.textures.array, sizes + 3, sizeof fake.textures.array);
    return *array = std::calloc(sizes[0] * std::max<size_t>(sizes[1], 1), 4 * fake.textures.array[1]),
           ++fake.textures.alive, 0;
}
Code cuArrayDestroy(void* array) { return std::free(array), --fake.textures.alive, note("cuArrayDestroy"); }
// As CUDA_MEMCPY2D; an array's rows follow each other.
Code cuMemcpy2DAsync_v2(const void* description, void*) {
    struct Side {
        size_t x, y;
        int kind;
        void* host;
        Address device;
        char* array;
        size_t pitch;
    };
    struct Copy {
        Side from, to;
        size_t width, height;
    } copy;
    std::memcpy(&copy, description, sizeof copy);
    auto row = [&](const Side& side, size_t y) {
        return side.kind == 3 ? side.array + y * copy.width
                              : reinterpret_cast<char*>(side.device) + y * side.pitch;
    };
    for (size_t y = 0; y < copy.height; ++y)
        std::memcpy(row(copy.to, y), row(copy.from, y), copy.width);
    return note("cuMemcpy2DAsync_v2");
}

Code cuStreamCreate(void** stream, unsigned) { return *stream = &fake, note("cuStreamCreate"); }
Code cuStreamSynchronize(void*) { return note("cuStreamSynchronize"); }
Code cuStreamBeginCapture_v2(void*, int) {
    if (Code code = note("cuStreamBeginCapture_v2")) return code;
    return capturing = new Work, 0;
}
Code cuStreamEndCapture(void*, void** graph) {
    *graph = capturing;
    capturing = nullptr;
    return note("cuStreamEndCapture");
}
Code cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
    if (Code code = note("cuGraphInstantiateWithFlags")) return code;
    return *executable = new Work(*static_cast<Work*>(graph)), ++fake.graphs, 0;
}
Code cuGraphLaunch(void* executable, void*) {
    if (Code code = note("cuGraphLaunch")) return code;
    for (const auto& work : *static_cast<Work*>(executable)) work();
    return 0;
}
Code cuGraphExecDestroy(void* executable) {
    delete static_cast<Work*>(executable);
    return --fake.graphs, note("cuGraphExecDestroy");
}
Code cuGraphDestroy(void* graph) {
    delete static_cast<Work*>(graph);
    return note("cuGraphDestroy");
}

// cuBLAS, which the tests find in the same library ($LANEWISE_CUBLAS): columns first, and every
// element multiplied, so that bits which are no number do not come through.
Code cublasCreate_v2(void** handle) { return *handle = &fake, note("cublasCreate_v2"); }
Code cublasSetStream_v2(void*, void*) { return note("cublasSetStream_v2"); }
Code cublasGetVersion_v2(void*, int* version) { return *version = 130102, 0; }
const char* cublasGetStatusName(Code) { return "CUBLAS_STATUS_FAKE"; }
Code cublasSgeam(void*, int op_a, int, int m, int n, const float* alpha, const float* a, int lda,
                 const float*, const float*, int, float* c, int ldc) {
    return geam("cublasSgeam", op_a, m, n, *alpha, a, lda, c, ldc);
}
Code cublasDgeam(void*, int op_a, int, int m, int n, const double* alpha, const double* a, int lda,
                 const double*, const double*, int, double* c, int ldc) {
    return geam("cublasDgeam", op_a, m, n, *alpha, a, lda, c, ldc);
}
Code cublasSetMathMode(void*, int mode) { return fake.math_mode = mode, 0; }
Code cublasSgemm_v2(void*, int, int, int m, int n, int k, const float*, const float* a, int lda,
                    const float* b, int ldb, const float*, float* c, int ldc) {
    return gemm("cublasSgemm", m, n, k, a, lda, b, ldb, c, ldc);
}
Code cublasGemmEx(void*, int, int, int m, int n, int k, const void*, const void* a, int, int lda,
                  const void* b, int, int ldb, const void*, void* c, int, int ldc, int, int) {
    using Half = unsigned short;
    return gemm("cublasGemmEx", m, n, k, static_cast<const Half*>(a), lda,
                static_cast<const Half*>(b), ldb, static_cast<float*>(c), ldc);
}

// cuSPARSE, likewise ($LANEWISE_CUSPARSE).
Code cusparseCreate(void** handle) { return *handle = &fake, note("cusparseCreate"); }
Code cusparseSetStream(void*, void*) { return note("cusparseSetStream"); }
Code cusparseGetVersion(void*, int* version) { return *version = 12603, 0; }
const char* cusparseGetErrorName(Code) { return "CUSPARSE_STATUS_FAKE"; }
Code cusparseCreateCsr(void** matrix, int64_t rows, int64_t cols, int64_t, void* offsets,
                       void* columns, void* values, int, int, int, int) {
    *matrix = new FakeMatrix{rows, cols, static_cast<int*>(offsets), static_cast<int*>(columns),
                             static_cast<float*>(values)};
    return note("cusparseCreateCsr");
}
Code cusparseCreateDnMat(void** matrix, int64_t rows, int64_t cols, int64_t, void* values, int,
                         int) {
    *matrix = new FakeMatrix{rows, cols, nullptr, nullptr, static_cast<float*>(values)};
    return note("cusparseCreateDnMat");
}
Code cusparseDestroySpMat(void* matrix) { return delete static_cast<FakeMatrix*>(matrix), 0; }
Code cusparseDestroyDnMat(void* matrix) { return delete static_cast<FakeMatrix*>(matrix), 0; }
Code cusparseSpMM_bufferSize(void*, int, int, const void*, void*, void*, const void*, void*, int,
                             int, size_t* bytes) {
    return *bytes = 0, 0;
}
Code cusparseSpMM(void*, int, int, const void*, void* of_a, void* of_b, const void*, void* of_c,
                  int, int, void*) {
    FakeMatrix a = *static_cast<FakeMatrix*>(of_a), b = *static_cast<FakeMatrix*>(of_b),
               c = *static_cast<FakeMatrix*>(of_c);
    return enqueue("cusparseSpMM", [=] {
        for (int64_t row = 0; row < c.rows; ++row)
            for (int64_t col = 0; col < c.cols; ++col) {
                float sum = 0;
                for (int i = a.offsets[row]; i < a.offsets[row + 1]; ++i)
                    sum += a.values[i] * b.values[a.columns[i] * b.cols + col];
                c.values[row * c.cols + col] = sum;
            }
        spend(2.0 * a.offsets[a.rows] * static_cast<double>(c.cols), 5'000);  // 5 TFLOP/s
    });
}

Code cuEventCreate(void** event, unsigned) {
    return *event = new Event, ++fake.events, note("cuEventCreate");
}
Code cuEventDestroy_v2(void* event) {
    delete static_cast<Event*>(event);
    return --fake.events, note("cuEventDestroy_v2");
}
Code cuEventRecord(void* event, void*) {
    auto pending = std::chrono::duration<double>(fake.pending_s);
    *static_cast<Event*>(event) = {
        now_us, endless, Clock::now() + std::chrono::duration_cast<Clock::duration>(pending)};
    return note("cuEventRecord");
}
Code cuEventQuery(void* event) {
    if (broken != 0) return broken;
    auto told = fake.fail.find("cuEventQuery");
    if (told != fake.fail.end()) return told->second;
    auto* asked = static_cast<Event*>(event);
    return asked->endless || Clock::now() < asked->happens ? 600 : 0;
}
Code cuEventSynchronize(void*) { return note("cuEventSynchronize"); }
Code cuEventElapsedTime(float* ms, void* start, void* end) {
    *ms =
        static_cast<float>((static_cast<Event*>(end)->us - static_cast<Event*>(start)->us) / 1000);
    return note("cuEventElapsedTime");
}
}
