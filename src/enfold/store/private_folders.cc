// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/private_folders.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace enfold::store {

void sync_folder(const std::filesystem::path& folder) {
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  close(handle);
}

Status make_private_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> missing;
  std::error_code ignored;
  for (auto at = folder; !at.empty() && !std::filesystem::exists(at, ignored);
       at = at.parent_path()) {
    missing.push_back(at);
    if (at == at.parent_path()) break;
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    if (mkdir(at->c_str(), 0700) != 0 && errno != EEXIST) {
      return fail(
          ErrorCode::unavailable,
          fmt::format("cannot create {}: {}", at->string(), std::generic_category().message(errno)),
          at->string(), "Choose a place that can be written, or correct its permissions.");
    }
    sync_folder(at->has_parent_path() ? at->parent_path() : ".");
  }
  return {};
}

}  // namespace enfold::store
