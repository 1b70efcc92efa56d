#include "model/calibration.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {
namespace {

const std::string kHead =
    "# NVIDIA H200, driver 1, 1980 MHz\n"
    "name;kernel;blocks;threads;blocks_per_sm;bytes;a;b;work;us\n";

std::string calibration_error(const std::string& csv) {
    try {
        parse_calibration(csv, "some.csv");
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "no error";
}

TEST(Calibration, ReadsCardAndRows) {
    Calibration c = parse_calibration(
        kHead + "# more\n\nwalk;micro_walk<2, 128>;9;256;8;4294967296;65536;3;4e9;620.5\r\n", "");
    EXPECT_EQ("NVIDIA H200", c.card);
    ASSERT_EQ(1u, c.rows.size());
    const CalibrationRow& row = c.rows[0];
    EXPECT_EQ("walk", row.name);
    EXPECT_EQ(4294967296u, row.bytes);
    EXPECT_EQ(65536u, row.a);
    EXPECT_EQ(3u, row.b);
    EXPECT_DOUBLE_EQ(4e9, row.work);
    EXPECT_DOUBLE_EQ(620.5, row.us);
    EXPECT_EQ(2, row.number(0));
    EXPECT_EQ("128", row.argument(1));
    EXPECT_EQ("", row.argument(2));
}

TEST(Calibration, NamesTheLineAndTheColumn) {
    EXPECT_NE(std::string::npos, calibration_error(kHead + "walk;k;1\n").find("some.csv:3: 3 cells"));
    EXPECT_NE(std::string::npos, calibration_error(kHead + "walk;k;1;1;1;1;1;1;1;fast\n")
                                     .find("some.csv:3: \"fast\" is no number, as us must be"));
    EXPECT_NE(std::string::npos,
              calibration_error("name;kernel\nwalk;k\n").find("some.csv:2: there is no column blocks"));
    EXPECT_NE(std::string::npos, calibration_error(kHead).find("some.csv holds no measurement"));
    EXPECT_NE(std::string::npos, calibration_error("").find("holds no measurement"));
}

}  // namespace
}  // namespace lanewise
