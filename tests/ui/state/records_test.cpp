// The recordings come behind the first picture in a page; the window is then the one that had them at once.
#include "ui/state/records.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../frames.h"
#include "base/files.h"

namespace lanewise::ui {
namespace {

// What the ladder says of each rung: "Padded tile\n3,900 GB/s on …".
std::vector<std::string> ladder_of(const App& app) {
    std::vector<std::string> said = {app.derived.ladder.caption};
    for (const LadderBar& bar : app.derived.ladder.bars) said.push_back(bar.tooltip);
    return said;
}

TEST(Records, MayComeLater) {
    Frames frames;
    App& app = frames.app;
    const std::vector<std::string> whole = ladder_of(app);
    const size_t recordings = app.content.recordings.size(), published = app.content.published.size();
    ASSERT_GT(recordings, 0u);
    ASSERT_GT(published, 0u);
    app.content.recordings.clear();
    app.content.counter_recordings.clear();
    app.content.published.clear();
    app.content.staircases.clear();
    derive(app);
    EXPECT_NE(std::string::npos, app.derived.ladder.caption.find("Nothing measured yet"));
    frames.answer();
    frames.frame(3);  // a first picture without them
    read_records(app, CONTENT_FOLDER);
    derive(app);
    EXPECT_EQ(whole, ladder_of(app));
    EXPECT_EQ(recordings, app.content.recordings.size());
    EXPECT_EQ(published, app.content.published.size());
    EXPECT_FALSE(app.content.counter_recordings.empty());
    EXPECT_FALSE(app.content.staircases.empty());
    frames.frame(3);
    EXPECT_TRUE(app.said.notices.empty());
}

// One that cannot be read is said, and the others come.
TEST(Records, ThatAreCutAreSaid) {
    namespace fs = std::filesystem;
    const fs::path home = fs::path(testing::TempDir()) / ("records-" + std::to_string(::getpid()));
    const fs::path folder = home / "assets" / "recordings";
    fs::create_directories(folder / "published");
    fs::copy(fs::path(CONTENT_FOLDER) / "assets/recordings/published/unnamed.json", folder / "published/unnamed.json");
    write_file(folder / "cut.json", "{\"schema\": 1, \"card\"");
    App app;
    read_records(app, home);
    ASSERT_EQ(1u, app.said.notices.size());
    EXPECT_NE(std::string::npos, app.said.notices[0].find("cut.json: it is damaged or cut off")) << app.said.notices[0];
    EXPECT_FALSE(app.content.published.empty());
    fs::remove_all(home);
}

}  // namespace
}  // namespace lanewise::ui
