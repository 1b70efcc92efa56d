// Makes a test program use the fake driver; to be called before anything asks for the GPU.
#pragma once
#include <dlfcn.h>

#include <cstdlib>

#include "fake_driver.h"

// FAKE_DRIVER: the path of the library, from CMakeLists.txt.
inline FakeDriver& fake_driver() {
    static FakeDriver* fake = [] {
        ::setenv("LANEWISE_CUDA_DRIVER", FAKE_DRIVER, 1);
        ::setenv("LANEWISE_NVML", FAKE_DRIVER, 1);
        void* library = ::dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
        void* symbol = library ? ::dlsym(library, "the_fake_driver") : nullptr;
        if (!symbol) std::abort();  // a broken build of the tests
        return reinterpret_cast<FakeDriver* (*)()>(symbol)();
    }();
    return *fake;
}
