// Templates, lambdas, constexpr, fold expressions and a functor with state.
// lanewise-engine run templates_lambdas.cu --kernel "mapped<3, int>" --grid 2 --block 64 --arg i32[128] --arg i32[128]
// results: exact
template <typename T> struct Scale { T by; __device__ T operator()(T v) const { return v * by; } };
template <typename F, typename G, typename T> __device__ T both(F f, G g, T v) { return g(f(v)); }
template <typename... T> __device__ auto sum(T... v) { return (v + ...); }
__device__ constexpr int power(int b, int e) { return e == 0 ? 1 : b * power(b, e - 1); }
template <int N> struct Table { int v[N]; __device__ constexpr Table() : v() { for (int i = 0; i < N; ++i) v[i] = power(3, i); } };
__constant__ constexpr Table<8> powers{};
template <int Times, typename T>
__global__ void mapped(T* out, const T* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T offset = in[i] & 15;
    auto less = [=](T v) { return v - offset; };
    T v = in[i];
    #pragma unroll
    for (int k = 0; k < Times; ++k) v = both(Scale<T>{3}, less, v);
    out[i] = sum(v, powers.v[i & 7], T(i), T(Times));
}
