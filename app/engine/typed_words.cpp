#include "engine/typed_words.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lab/host/launch_proposals.h"

namespace lanewise {

static std::vector<std::string>& typed_words() {
    static std::vector<std::string> words;
    return words;
}

void keep_typed_words(int argc, const char* const* argv) {
    typed_words().assign(argv + std::min(argc, 2), argv + argc);
}

// Without what only trace and check take.
std::string command_to_step(const std::string& at) {
    static constexpr std::string_view kWithValue[] = {"--threads", "--blocks", "--save", "--expect",
                                                      "--time-limit"};
    std::vector<std::string> command = {"lanewise-engine", "step"};
    const std::vector<std::string>& words = typed_words();
    for (size_t i = 0; i < words.size(); ++i) {
        std::string_view word = words[i];
        std::string_view name = word.substr(0, word.find('='));
        bool is_left_out =
            std::find(std::begin(kWithValue), std::end(kWithValue), name) != std::end(kWithValue);
        if (word == "--json") continue;
        if (!is_left_out)
            command.push_back(words[i]);
        else if (name == word)
            ++i;  // its value
    }
    command.insert(command.end(), {"--at", at});
    return shell_line(command);
}

}  // namespace lanewise
