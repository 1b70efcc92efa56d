#include "figure/drawing/csv.h"

namespace lanewise {

std::string csv_field(const std::string& text) {
    std::string flat;
    bool quoted = false;
    for (char c : text) {
        if (c == '\n') {
            flat += "; ";
            continue;
        }
        if (c == '"') flat += '"';
        quoted |= c == '"' || c == ',';
        flat += c;
    }
    return quoted || flat.find(';') != std::string::npos ? "\"" + flat + "\"" : flat;
}
std::string csv_row(std::initializer_list<std::string> fields) {
    std::string line;
    for (const std::string& each : fields) line += (&each == fields.begin() ? "" : ",") + each;
    return line + "\n";
}

std::string csv_comment(const std::string& text) {
    if (text.empty()) return "";
    std::string flat = text;
    for (char& c : flat)
        if (c == '\n') c = ' ';
    return "# " + flat + "\n";
}

}  // namespace lanewise
