// SPDX-License-Identifier: Apache-2.0
// A folder that goes away with its test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace enfold::store::testing {

class TemporaryFolder {
 public:
  /// In memory where the machine has such a place: what is tested there is not the disk.
  enum class On { disk, memory };
  explicit TemporaryFolder(On on = On::disk) {
    const bool memory = on == On::memory && std::filesystem::is_directory("/dev/shm");
    std::string name =
        (memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
        "enfold-store-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace enfold::store::testing
