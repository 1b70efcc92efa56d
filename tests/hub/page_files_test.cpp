// Which file an address means, and that it means none outside the page's folder.
#include "hub/page_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"

namespace lanewise {

namespace fs = std::filesystem;

class PageFiles : public testing::Test {
  protected:
    fs::path root_ = fs::path(testing::TempDir()) / ("page-" + std::to_string(::getpid()));
    fs::path page_ = root_ / "web";
    void SetUp() override {
        write_file(page_ / "index.html", "x");
        write_file(page_ / "assets/a b.js", "x");
        write_file(page_ / ".git/config", "x");
        write_file(root_ / "secret", "x");
        fs::create_symlink(root_ / "secret", page_ / "link");
        fs::create_symlink("/etc", page_ / "etc");
        fs::create_symlink("index.html", page_ / "inside.html");
    }
    void TearDown() override { fs::remove_all(root_); }
    std::string of(const std::string& target) {
        auto file = page_file(page_, target);
        return file ? file->lexically_relative(fs::canonical(page_)).string() : "";
    }
};

TEST_F(PageFiles, AreFound) {
    EXPECT_EQ("index.html", of("/"));
    EXPECT_EQ("index.html", of("/?token=x#y"));
    EXPECT_EQ("index.html", of("/index.html"));
    EXPECT_EQ("assets/a b.js", of("/assets/a%20b.js"));
    EXPECT_EQ("index.html", of("/inside.html"));
}

TEST_F(PageFiles, NothingElseIs) {
    for (const std::string& target : {std::string("/../secret"),
                                      std::string("/%2e%2e/secret"),
                                      std::string("/%2e%2e%2fsecret"),
                                      std::string("/assets/../../secret"),
                                      std::string("/..%5csecret"),
                                      std::string("/link"),
                                      std::string("/etc/passwd"),
                                      std::string("/.git/config"),
                                      std::string("//etc/passwd"),
                                      std::string("/assets"),
                                      std::string("/assets/"),
                                      std::string("/index.html%00.js"),
                                      std::string("/%zz"),
                                      std::string("/%"),
                                      std::string(""),
                                      std::string("index.html"),
                                      std::string("http://x/index.html"),
                                      std::string("/nothing"),
                                      std::string("/./index.html"),
                                      "/" + std::string(5000, 'a')})
        EXPECT_EQ("", of(target)) << target;
    EXPECT_FALSE(page_file(root_ / "nowhere", "/"));
}

TEST_F(PageFiles, MediaTypes) {
    EXPECT_EQ("text/html; charset=utf-8", media_type("a/index.html"));
    EXPECT_EQ("application/wasm", media_type("engine.wasm"));
    EXPECT_EQ("application/octet-stream", media_type("content.gz"));
}

TEST_F(PageFiles, APageInItsPlaceSaysWhatToDo) {
    std::string page = page_in_its_place("/srv/<web>");
    EXPECT_NE(std::string::npos,
              page.find("/srv/&lt;web&gt; holds no index.html. Run <code>./lanewise web</code>"));
}

}  // namespace lanewise
