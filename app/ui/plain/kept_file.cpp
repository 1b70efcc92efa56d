#include "ui/plain/kept_file.h"

#include <cstdlib>
#include <ctime>

#include "base/text.h"

namespace lanewise::ui {

std::filesystem::path set_aside(const std::filesystem::path& file, const std::string& suffix) {
    std::error_code failed;
    std::filesystem::path aside = file.string() + "." + suffix;
    for (int i = 2; std::filesystem::exists(aside, failed); ++i)
        aside = file.string() + "." + suffix + "-" + std::to_string(i);
    std::filesystem::rename(file, aside, failed);
    return failed ? file : aside;
}

std::filesystem::path path_typed(const std::string& text) {
    std::string path(trimmed(text));
    const char* home = std::getenv("HOME");
    if (home && (path == "~" || path.starts_with("~/"))) path = home + path.substr(1);
    return path;
}

std::string date_now() {
    std::time_t now = std::time(nullptr);
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace lanewise::ui
