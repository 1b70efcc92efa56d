// Finds stages: every kernels/<operation>/<NN_idea>.cu, course by course in the order of its
// number; the first steps (kernels/zero) first, exercises last.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/stage.h"

namespace lanewise {

// Reads one stage file. A malformed one is returned with `error` set (file, line, what to do).
Stage read_stage(const std::filesystem::path& file, const std::string& operation);
// The same from text already in hand (an edited stage); `like` gives id and path.
Stage parse_stage(const std::string& text, const Stage& like);

// The one with this whole id; null where there is none.
const Stage* stage_called(const std::vector<Stage>& stages, const std::string& id);

class Catalogue {
  public:
    // `content`: the folder that holds kernels/ and lessons/.
    static Catalogue load(const std::filesystem::path& content);
    const std::vector<Stage>& stages() const { return stages_; }
    // By id ("transpose/30_padded"), by stem ("30_padded") or by a unique number ("30"). What
    // several courses have is looked for in the first of them, the transposes.
    // Throws Error(bad_input) with the closest id where there is none, or with the stage's own
    // error where it is malformed.
    const Stage& find(const std::string& name) const;
    const std::filesystem::path& content() const { return content_; }

  private:
    std::vector<Stage> stages_;
    std::filesystem::path content_;
};

}  // namespace lanewise
