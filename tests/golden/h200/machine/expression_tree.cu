// A tree of nodes with virtual functions that evaluate themselves: recursion through pointers.
// lanewise-engine run expression_tree.cu --kernel evaluated --grid 1 --block 64 --arg i32[64] --arg u32[64]
// results: exact
struct Node { __device__ virtual int value(int x) const = 0; };
struct Leaf : Node {
    int v;
    __device__ Leaf(int v) : v(v) {}
    __device__ int value(int x) const override { return v + x; }
};
struct Binary : Node {
    const Node *a, *b;
    __device__ Binary(const Node* a, const Node* b) : a(a), b(b) {}
};
struct Sum : Binary {
    using Binary::Binary;
    __device__ int value(int x) const override { return a->value(x) + b->value(x + 1); }
};
struct Choice : Binary {
    using Binary::Binary;
    __device__ int value(int x) const override { return x & 1 ? a->value(x * 2) : -b->value(x - 3); }
};
__global__ void evaluated(int* out, const unsigned* in) {
    int i = threadIdx.x, v = in[i] % 100;
    Leaf one(v), two(7), three(-i);
    Sum s(&one, &two);
    Choice c(&s, &three);
    Sum top(&c, &s);
    Choice other(&top, &c);
    const Node* roots[] = {&top, &other, &one};
    out[i] = roots[i % 3]->value(v);
}
