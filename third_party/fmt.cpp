// fmt, compiled once, as its own src/format.cc compiles it. As a header alone it was compiled again
// in each of the hundred files that format text, which took more than half of their time; linked as
// the distribution's shared library it would have to be installed wherever the engine is copied.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
#if FMT_VERSION >= 100000  // its header declares them extern
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, typename vformat_args<>::type, locale_ref);
#endif
}  // namespace detail
FMT_END_NAMESPACE
