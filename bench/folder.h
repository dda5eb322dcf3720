// SPDX-License-Identifier: Apache-2.0
// A temporary folder that goes with its owner.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <string>

namespace enfold::bench {

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "enfold-bench-XXXXXX").string()) {
    if (mkdtemp(path_.data()) != nullptr) return;
    fmt::print(stderr, "error: no temporary folder: {}\n", path_);
    std::exit(1);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace enfold::bench
