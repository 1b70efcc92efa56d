// Loops that lanes leave at different turns and places: where the others meet meanwhile shows in the
// number of their accesses.
__global__ void break_in_if(int* out, const int* in, int n) {
    int lane = threadIdx.x, sum = 0;
    for (int i = 0; i < n; ++i) {
        int v = in[i * 32 + lane % 32];
        if (lane % 2) {
            if ((v & 7) == 3) break;
            sum += in[(v & 255) + 1];
        }
        sum += in[(sum & 255) + 2];
    }
    out[blockIdx.x * blockDim.x + lane] = sum;
}

__global__ void found(int* out, int* place, const int* in, int n) {
    int lane = threadIdx.x;
    for (int i = 0; i < n; ++i) {
        int v = in[i * 32 + lane % 32];
        if (v & 1) {
            if ((v & 14) == 6) {
                place[lane] = i;
                break;
            }
            v = in[v >> 4 & 255];
        }
        out[lane] += in[v >> 5 & 255];
    }
    out[lane] += 1;
}

__global__ void out_of_two(int* out, const int* in, int n) {
    int lane = threadIdx.x, sum = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            int v = in[i * n + j + lane];
            if (lane & 1) {
                if ((v & 31) == 5) goto over;
                if ((v & 7) == 1) break;
                sum += in[v & 255];
            }
            sum ^= in[sum & 127];
        }
        sum += in[(sum >> 3 & 127) + lane];
    }
over:
    out[blockIdx.x * blockDim.x + lane] = sum;
}

__global__ void go_on(int* out, const int* in, int n) {
    int lane = threadIdx.x, sum = 0;
    for (int i = 0; i < n; ++i) {
        int v = in[i * 32 + lane];
        if (v & 1) continue;
        sum += in[v & 255];
        if (v & 2) {
            if (v & 4) break;
            continue;
        }
        sum += in[(v >> 3 & 255) + lane];
    }
    out[blockIdx.x * blockDim.x + lane] = sum;
}

__global__ void by_cases(int* out, const int* in, int n) {
    int lane = threadIdx.x, sum = 0;
    bool going = true;
    for (int i = 0; going && i < n; ++i) {
        int v = in[i * 32 + lane];
        switch (v & 7) {
            case 0: sum += in[v >> 3 & 255]; break;
            case 1: sum ^= in[v >> 4 & 255];
            case 2: sum += 2; break;
            case 3: going = false; break;
            case 4: sum -= in[v >> 5 & 255]; break;
            default: continue;
        }
        sum += in[sum & 255];
    }
    out[blockIdx.x * blockDim.x + lane] = sum;
}

__global__ void descend(int* out, const int* in, int n) {
    int lane = threadIdx.x, node = 0, steps = 0;
    while (true) {
        int key = in[node];
        if ((key & 15) == (lane & 15)) break;
        node = 2 * node + (key & 16 ? 1 : 2);
        if (node >= n) break;
        if (++steps > 12) {
            node = -1;
            break;
        }
    }
    out[blockIdx.x * blockDim.x + lane] = node;
}

__global__ void returning(int* out, const int* in, int n) {
    int lane = threadIdx.x, sum = 0;
    for (int i = 0; i < n; ++i) {
        int v = in[i * 32 + lane];
        if (v & 1) {
            if ((v & 62) == 6) return;
            if ((v & 62) == 8) break;
            sum += in[v >> 6 & 255];
        }
        sum += in[(sum & 255) + lane];
    }
    out[blockIdx.x * blockDim.x + lane] = sum;
}

__global__ void rays(int* out, const int* in, int n) {
    int lane = threadIdx.x, sum = 0;
    for (int ray = 0; ray < n; ++ray) {
        int at = in[ray * 32 + lane] & 255;
        for (int step = 0; step < 16; ++step) {
            int v = in[at];
            if ((v & 15) == 3) {
                sum += in[v >> 4 & 255];
                break;
            }
            at = v >> 8 & 255;
            if (at > 250) break;
        }
        sum += in[at + lane];
    }
    out[blockIdx.x * blockDim.x + lane] = sum;
}
