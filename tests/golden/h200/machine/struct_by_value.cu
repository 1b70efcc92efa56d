// Structures by value as kernel arguments and results of functions, arrays of structures, unions, bit fields.
// lanewise-engine run struct_by_value.cu --kernel particles --grid 2 --block 48 --arg f32[768] --arg u32[768]
// results: exact
struct Vec3 { float x, y, z; };
struct Particle { Vec3 position, velocity; float mass; unsigned flags : 5, kind : 11, id : 16; };
__device__ __noinline__ Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ __noinline__ Particle step(Particle p, float dt) {
    Vec3 c = cross(p.position, p.velocity);
    p.position.x += dt * c.x; p.position.y += dt * c.y; p.position.z += dt * c.z;
    p.flags += 3; p.kind ^= p.id; p.id -= p.flags;
    return p;
}
__global__ void particles(Particle* out, const unsigned* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto part = [&](int k) { return (float)(in[i * 8 + k] % 4096) / 64; };
    Particle p{{part(0), part(1), part(2)}, {part(3), part(4), part(5)}, part(6), 0, 0, 0};
    p.flags = in[i]; p.kind = in[i] >> 5; p.id = in[i] >> 16;
    for (int k = 0; k < i % 4; ++k) p = step(p, 0.125f);
    out[i] = p;
}
