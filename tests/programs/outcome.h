// What a program leaves when it ends, and what a file holds.
#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

struct Outcome {
    int status = -1;
    std::string out, err;
};

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}
