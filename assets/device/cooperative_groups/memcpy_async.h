// cooperative_groups::memcpy_async: the threads of a group copy into shared memory by cp.async, in
// the widest words that address and length allow; and the waits for it.
#pragma once
#pragma clang system_header
#include "../cooperative_groups.h"
#include "../cuda_pipeline.h"

namespace cooperative_groups {

namespace __lw {
template <size_t width, class Group>
__LW void copy_words(const Group& group, char* to, const char* from, size_t bytes) {
    for (size_t at = group.thread_rank() * width; at + width <= bytes; at += group.size() * width)
        __pipeline_memcpy_async(to + at, from + at, width);
    for (size_t at = bytes / width * width + group.thread_rank(); at < bytes; at += group.size())
        to[at] = from[at];
}
}  // namespace __lw

template <class Group>
__LW void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
    char* t = (char*)to;
    const char* f = (const char*)from;
    size_t low = (size_t)to | (size_t)from;
    if (!__isShared(to) || low % 4 != 0) {
        for (size_t at = group.thread_rank(); at < bytes; at += group.size()) t[at] = f[at];
        return;
    }
    if (low % 16 == 0)
        __lw::copy_words<16>(group, t, f, bytes);
    else if (low % 8 == 0)
        __lw::copy_words<8>(group, t, f, bytes);
    else
        __lw::copy_words<4>(group, t, f, bytes);
    __pipeline_commit();
}
template <class Group, class T>
__LW void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
    memcpy_async(group, (void*)to, (const void*)from, bytes);
}
template <unsigned newer, class Group>
__LW void wait_prior(const Group& group) {
    __pipeline_wait_prior(newer);
    group.sync();
}
template <class Group>
__LW void wait(const Group& group) {
    __pipeline_wait_prior(0);
    group.sync();
}

}  // namespace cooperative_groups
