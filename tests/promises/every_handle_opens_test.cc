// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/stores.h"
#include "tests/promises/pipeline_property.h"
#include "tests/store/temporary_folder.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// A handle in an answer opens the bytes that were cut, read as they were when they were cut, and
// every place in the report opens what stood there.
TEST(Promise, every_handle_opens) {
  testing::check_pipeline("every_handle_opens", {testing::check_every_handle_opens});
}

TEST(Promise, every_handle_opens_from_a_file) {
  const store::testing::TemporaryFolder folder(store::testing::TemporaryFolder::On::memory);
  const auto archive = *store::sqlite_archive(folder.path() / "archive.db");
  testing::check_pipeline("every_handle_opens_from_a_file", {testing::check_every_handle_opens},
                          testing::property_cases(500, 20'000), archive.get());
}

}  // namespace
}  // namespace enfold::answer
