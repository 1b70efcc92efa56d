// A browser has no shared libraries and no processes: who asks for NVRTC, the CUDA driver or clang finds
// none, as on a machine where they are not installed. Emscripten's own dlopen() would stop the program,
// so that the linker puts these in its place (--wrap).
#include <spawn.h>

#include <cerrno>

extern "C" {

void* __wrap_dlopen(const char*, int) { return nullptr; }
void* __wrap_dlsym(void*, const char*) { return nullptr; }
int __wrap_dlclose(void*) { return 0; }
char* __wrap_dlerror() {
    static char text[] = "a browser reaches no graphics card";
    return text;
}

int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                 char* const*, char* const*) {
    return ENOSYS;
}

}  // extern "C"
