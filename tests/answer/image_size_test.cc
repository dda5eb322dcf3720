// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/media.h"

#include <gtest/gtest.h>
#include <string>

namespace enfold::answer {
namespace {

using budget::text::image_size;

TEST(ImageSize, is_read_from_the_first_bytes) {
  struct Case {
    const char* name;
    const char* base64;
    std::uint32_t width;
    std::uint32_t height;
  };
  const Case cases[] = {
      {"png", "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA=", 640, 480},
      {"gif", "R0lGODlhCgAUAIAAAAUEBA==", 10, 20},
      {"jpeg", "/9j/4AAQSkZJRgABAQEASABIAAD/wAARCAAQACADASIA", 32, 16},
  };
  for (const Case& one : cases) {
    const auto size = image_size(one.base64);
    ASSERT_TRUE(size) << one.name;
    EXPECT_EQ(size->width, one.width) << one.name;
    EXPECT_EQ(size->height, one.height) << one.name;
  }
}

TEST(ImageSize, is_not_guessed) {
  const char* const cases[] = {"",
                               "iVBORw0KGgo=",
                               "/9j/",
                               "/9j/4AAQSkZJ",
                               "R0lGODlhAAAAAA==",
                               "not base64!",
                               "UklGRiQAAABXQVZF"};
  for (const char* base64 : cases) EXPECT_FALSE(image_size(base64)) << base64;
}

}  // namespace
}  // namespace enfold::answer
