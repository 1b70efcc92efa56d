// What stands on a slide beside its words: the picture that a lesson's link shows at a scene's
// setting, as HTML. Private to the slides.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/scenes.h"
#include "lab/job/job.h"
#include "lab/job/results.h"
#include "lab/record/recording.h"
#include "model/device_profile.h"

namespace lanewise {

// In the tag of a figure that is too high to stand below words.
inline constexpr const char* kTallFigure = " class=\"tall\"";

class SlidePictures {
  public:
    // What they are made of must outlive them.
    SlidePictures(const Catalogue& catalogue, const Stage& stage,
                  const std::vector<Recording>& recordings)
        : catalogue_(catalogue),
          stage_(stage),
          recordings_(recordings),
          cards_(device_profiles(catalogue.content())) {}

    // One, or of a scene that moves one for each moment; none where the link shows nothing.
    std::vector<std::string> of(const Scene& scene, const std::string& link);
    // The number that answers a question at the scene's setting; nothing where none can be counted.
    std::optional<double> counted(const Scene& scene, const std::string& query);

  private:
    std::string banks(const Scene& scene);
    std::string access(const Scene& scene);
    std::vector<std::string> flow(const Scene& scene);
    std::string code(const std::string& quote) const;
    std::string proof(const Scene& scene);
    std::string gains() const;
    std::string chart(const std::string& name, const Scene& scene) const;
    std::string walk(const Scene& scene);
    std::string only_in_window(const std::string& view) const;
    Job job_of(const Scene& scene) const;
    const Analysis& analysis(const Job& job);

    const Catalogue& catalogue_;
    const Stage& stage_;
    const std::vector<Recording>& recordings_;
    const std::vector<DeviceProfile> cards_;
    std::map<std::string, Analysis> analyses_;  // by setting
};

}  // namespace lanewise
