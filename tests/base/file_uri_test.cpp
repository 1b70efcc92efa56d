#include "base/file_uri.h"

#include <gtest/gtest.h>

namespace lanewise {

TEST(FileUri, IsAPath) {
    EXPECT_EQ("/home/ada/my kernel.cu", path_of_uri("file:///home/ada/my%20kernel.cu"));
    EXPECT_EQ("/tmp/a.lanewise", path_of_uri("file:/tmp/a.lanewise"));
    EXPECT_EQ("/tmp/ü", path_of_uri("file://localhost/tmp/%C3%bc"));
}

TEST(FileUri, APercentThatBeginsNoNumberStays) {
    EXPECT_EQ("/tmp/100%", path_of_uri("file:///tmp/100%"));
    EXPECT_EQ("/tmp/%zz%2", path_of_uri("file:///tmp/%zz%2"));
}

TEST(FileUri, AnyOtherTextIsLeftAlone) {
    for (const char* other : {"", "my%20kernel.cu", "lanewise://1/transpose/30_padded?PAD=1",
                              "file://elsewhere/tmp/a", "file:a.cu", "file:"})
        EXPECT_EQ(other, path_of_uri(other));
}

}  // namespace lanewise
