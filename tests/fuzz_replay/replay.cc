// SPDX-License-Identifier: Apache-2.0
// Gives every file of a folder to one fuzz target, whole and cut off at every byte. A target that
// objects aborts; the name of the file stands on the line before.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: fuzz_replay_TARGET FOLDER\n", stderr);
    return 5;
  }
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1], missing)) {
    files.push_back(entry.path());
  }
  if (files.empty()) {
    std::fprintf(stderr, "error: expected kept inputs in %s, found none\n", argv[1]);
    return 1;
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    std::printf("%s\n", file.filename().c_str());
    std::fflush(stdout);
    // A copy of exactly this size, so that a sanitizer sees a read past the end.
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const std::vector<std::uint8_t> input(bytes.begin(),
                                            bytes.begin() + static_cast<std::ptrdiff_t>(size));
      LLVMFuzzerTestOneInput(input.data(), input.size());
    }
  }
  std::printf("%zu inputs, no finding\n", files.size());
  return 0;
}
