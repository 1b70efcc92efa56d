#include "gpu/cusparse.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/driver_call.h"

namespace lanewise {

namespace {

// Of cusparse.h.
constexpr int kAsStored = 0;      // CUSPARSE_OPERATION_NON_TRANSPOSE
constexpr int kIndices32 = 2;     // CUSPARSE_INDEX_32I
constexpr int kFromZero = 0;      // CUSPARSE_INDEX_BASE_ZERO
constexpr int kRowByRow = 2;      // CUSPARSE_ORDER_ROW
constexpr int kForRowsOfCsr = 6;  // CUSPARSE_SPMM_CSR_ALG2, which its manual advises for such B, C

// The functions that we call, with the signatures of NVIDIA's cusparse.h.
struct SparseApi {
    using Code = int;  // cusparseStatus_t; 0 is success
    using Descriptor = void*;
    Code (*Create)(void** handle) = nullptr;
    Code (*SetStream)(void* handle, void* stream) = nullptr;
    Code (*GetVersion)(void* handle, int* version) = nullptr;
    const char* (*GetErrorName)(Code) = nullptr;
    Code (*CreateCsr)(Descriptor* matrix, int64_t rows, int64_t cols, int64_t nonzeros,
                      void* offsets, void* columns, void* values, int offsets_type,
                      int columns_type, int base, int value_type) = nullptr;
    Code (*CreateDnMat)(Descriptor* matrix, int64_t rows, int64_t cols, int64_t ld, void* values,
                        int value_type, int order) = nullptr;
    Code (*DestroySpMat)(Descriptor) = nullptr;
    Code (*DestroyDnMat)(Descriptor) = nullptr;
    Code (*SpMM_bufferSize)(void* handle, int op_a, int op_b, const void* alpha, Descriptor a,
                            Descriptor b, const void* beta, Descriptor c, int compute,
                            int algorithm, size_t* bytes) = nullptr;
    Code (*SpMM)(void* handle, int op_a, int op_b, const void* alpha, Descriptor a, Descriptor b,
                 const void* beta, Descriptor c, int compute, int algorithm,
                 void* workspace) = nullptr;
};

struct LoadedSparse {
    SparseApi api;
    CusparseStatus status;
};

LoadedSparse find_cusparse(const std::string& toolkit_folder) {
    LoadedSparse loaded;
    SparseApi& api = loaded.api;
    const LibraryFunction functions[] = {
        {"cusparseCreate", api.Create},
        {"cusparseSetStream", api.SetStream},
        {"cusparseGetVersion", api.GetVersion},
        {"cusparseGetErrorName", api.GetErrorName},
        {"cusparseCreateCsr", api.CreateCsr},
        {"cusparseCreateDnMat", api.CreateDnMat},
        {"cusparseDestroySpMat", api.DestroySpMat},
        {"cusparseDestroyDnMat", api.DestroyDnMat},
        {"cusparseSpMM_bufferSize", api.SpMM_bufferSize},
        {"cusparseSpMM", api.SpMM},
    };
    loaded.status = load_library(
        {"cuSPARSE",
         "LANEWISE_CUSPARSE",
         {"libcusparse.so.12"},
         "install it from CUDA 12 or 13 (NVIDIA's package libcusparse-13-0, "
         "or nvidia-cuda-toolkit on Debian or Ubuntu); until then the recorded times are shown"},
        toolkit_folder, functions);
    return loaded;
}

const LoadedSparse& loaded_cusparse(const std::string& toolkit_folder) {
    static const LoadedSparse found = find_cusparse(toolkit_folder);
    return found;
}

const SparseApi& sparse_api() { return loaded_cusparse("").api; }  // once it was found

void check_sparse(SparseApi::Code code, const char* what) {
    if (code != 0)
        throw Error(Status::failed_check,
                    fmt::format("cuSPARSE refused {}: {}", what, sparse_api().GetErrorName(code)));
}

// The process's one, on the GPU's stream.
void* handle_on(Gpu& gpu) {
    static void* handle = nullptr;
    if (handle) return handle;
    check_sparse(sparse_api().Create(&handle), "to start");
    check_sparse(sparse_api().SetStream(handle, gpu.stream()), "our stream");
    return handle;
}

void* address_of(const GpuBuffer& buffer) { return reinterpret_cast<void*>(buffer.address()); }

constexpr float kOne = 1, kZero = 0;

}  // namespace

const CusparseStatus& cusparse_status(const std::string& toolkit_folder) {
    return loaded_cusparse(toolkit_folder).status;
}

SparseProduct::SparseProduct(Gpu& gpu, const std::string& toolkit_folder, CsrMatrix a,
                             const GpuBuffer& b, GpuBuffer& c, int64_t n)
    : a_(std::move(a)) {
    const CusparseStatus& status = cusparse_status(toolkit_folder);
    if (!status.found) throw Error(Status::bad_input, status.advice);
    DriverCall call(DriverCall::kWakingLimitS);  // it loads its kernels
    const SparseApi& api = sparse_api();
    void* handle = handle_on(gpu);
    check_sparse(api.CreateCsr(&of_a_, a_.rows, a_.cols, a_.nonzeros, address_of(a_.offsets),
                               address_of(a_.columns), address_of(a_.values), kIndices32,
                               kIndices32, kFromZero, kFloatType),
                 "this sparse matrix");
    check_sparse(api.CreateDnMat(&of_b_, a_.cols, n, n, address_of(b), kFloatType, kRowByRow),
                 "this matrix");
    check_sparse(api.CreateDnMat(&of_c_, a_.rows, n, n, address_of(c), kFloatType, kRowByRow),
                 "this matrix");
    size_t bytes = 0;
    check_sparse(api.SpMM_bufferSize(handle, kAsStored, kAsStored, &kOne, of_a_, of_b_, &kZero,
                                     of_c_, kFloatType, kForRowsOfCsr, &bytes),
                 "this product");
    workspace_ = gpu.allocate(std::max<uint64_t>(bytes, 16));
}

SparseProduct::~SparseProduct() {
    if (Gpu::lost()) return;
    if (of_a_) sparse_api().DestroySpMat(of_a_);
    if (of_b_) sparse_api().DestroyDnMat(of_b_);
    if (of_c_) sparse_api().DestroyDnMat(of_c_);
}

std::string SparseProduct::version() const {
    int number = 0;  // 12603: 12.6.3
    check_sparse(sparse_api().GetVersion(handle_on(Gpu::open()), &number), "to tell its version");
    return fmt::format("{}.{}.{}", number / 1000, number / 100 % 10, number % 100);
}

void SparseProduct::multiply() {
    DriverCall call;
    check_sparse(sparse_api().SpMM(handle_on(Gpu::open()), kAsStored, kAsStored, &kOne, of_a_, of_b_,
                                   &kZero, of_c_, kFloatType, kForRowsOfCsr, address_of(workspace_)),
                 "this product");
}

}  // namespace lanewise
