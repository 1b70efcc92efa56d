// Linked into programs that draw: under the address sanitizer no library is unloaded. What is unloaded has no
// name any more, and what its own globals pointed at is a leak then, which tests/lsan.supp cannot name.
// Mesa's drivers are unloaded as a process ends.
#include "base/sanitized.h"

#if defined(__SANITIZE_ADDRESS__)
extern "C" int dlclose(void* library) { return library ? 0 : -1; }
#endif
