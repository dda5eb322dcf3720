// SPDX-License-Identifier: Apache-2.0
// Memory that ends in the middle of a put: nobody waits for ever, and no handle is given for what
// was not written. The n-th allocation of one thread fails, for n = 0, 1, 2 …
#include "enfold/store/stores.h"
#include "tests/store/failing_memory.h"
#include "tests/store/temporary_folder.h"

#include <gtest/gtest.h>
#include <new>

namespace enfold::store {
namespace {

constexpr Time kNow{std::chrono::seconds(1'800'000'000)};

/// What a put gives when memory ends after so many allocations; nullopt: it threw.
std::optional<Result<Receipt>> put_with(Archive& archive, const std::string& bytes, long memory) {
  testing::fail_after(memory);
  try {
    auto receipt = archive.put("ann", bytes, {}, kNow);
    testing::fail_never();
    return receipt;
  } catch (const std::bad_alloc&) {
    testing::fail_never();
    return std::nullopt;
  }
}

TEST(MemoryFaults, leave_the_archive_usable_and_no_handle_to_nothing) {
  const testing::TemporaryFolder folder;
  const auto archive = sqlite_archive((folder.path() / "archive.db").string(), {}).value();
  bool enough = false;
  int failed = 0;
  for (long memory = 0; !enough && memory < 2000; ++memory) {
    const std::string bytes = "content " + std::to_string(memory) + std::string(3000, 'x');
    const auto receipt = put_with(*archive, bytes, memory);
    enough = receipt && *receipt;
    failed += enough ? 0 : 1;
    if (enough) {
      EXPECT_EQ(archive->get("ann", (*receipt)->handle, kNow), bytes);
    }
    const std::string next = "next " + std::to_string(memory);
    const auto again = archive->put("ann", next, {}, kNow);
    ASSERT_TRUE(again) << memory << ": " << again.error().message;
    EXPECT_EQ(archive->get("ann", again->handle, kNow), next);
  }
  EXPECT_TRUE(enough);
  EXPECT_GT(failed, 5);
  EXPECT_TRUE(archive->verify()->damaged.empty());
}

}  // namespace
}  // namespace enfold::store
