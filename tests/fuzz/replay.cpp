// Feeds files to a fuzz target: replay_TARGET FILE|FOLDER… — so the ordinary tests see every input
// that ever broke something, without libFuzzer. Names each file before it runs it.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "fuzz.h"

namespace fs = std::filesystem;

static int replayed = 0;

static void replay(const fs::path& file) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    std::string text = lanewise::read_file(file);
    auto exact = std::make_unique<char[]>(text.size());
    text.copy(exact.get(), text.size());
    lanewise::refusing([&] { lanewise::fuzz({exact.get(), text.size()}); });
    ++replayed;
}

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (!fs::is_directory(argv[i])) {
            replay(argv[i]);
            continue;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(argv[i]))
            replay(entry.path());
    }
    if (replayed == 0) std::fprintf(stderr, "usage: %s FILE|FOLDER…; nothing to replay\n", argv[0]);
    return replayed == 0;
}
