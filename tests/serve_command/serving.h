// SPDX-License-Identifier: Apache-2.0
// An `enfold serve --config` in a process of its own, with a folder and a home of its own.
#pragma once

#include "tests/gateway/voice.h"
#include "tests/store/temporary_folder.h"
#include "tests/support/killable.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace enfold::gateway {

class Serving {
 public:
  explicit Serving(const std::string& config) {
    write(config);
    start();
  }
  void start() {
    const std::string file = config_file();
    const std::string home = "HOME=" + folder_.path().string();
    process_ = std::make_unique<enfold::testing::Killable>([&](int output, int nothing) {
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(nothing, STDOUT_FILENO);
      ::dup2(output, STDERR_FILENO);
      std::string path = "PATH=";
      if (const char* const known = std::getenv("PATH")) path += known;
      std::array<std::string, 4> words{ENFOLD_PROGRAM, "serve", "--config", file};
      std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(),
                                     words[3].data(), nullptr};
      std::string own_home = home;
      std::array<char*, 3> environment{own_home.data(), path.data(), nullptr};
      ::execve(arguments[0], arguments.data(), environment.data());
    });
    seen_ = 0;
    url_ = wait_for_line("listening on ").substr(13);
    ASSERT_FALSE(url_.empty());
  }
  void write(const std::string& config) { std::ofstream(config_file()) << config; }
  void kill() { process_->kill(); }
  void signal(int number) { process_->signal(number); }
  /// The next line that it writes to standard error and that has this in it.
  std::string wait_for_line(const std::string& text) {
    for (;;) {
      const std::vector<std::string> lines = process_->lines();
      for (; seen_ < lines.size(); ++seen_) {
        if (lines[seen_].find(text) == std::string::npos) continue;
        return lines[seen_++];
      }
      const std::size_t before = lines.size();
      process_->listen_until(before + 1);
      if (process_->lines().size() == before) break;
    }
    ADD_FAILURE() << "nothing was said of " << text;
    return std::string(13, ' ');
  }
  [[nodiscard]] std::vector<std::string> lines() const { return process_->lines(); }
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(file(name));
  }
  [[nodiscard]] std::string config_file() const { return folder_.file("enfold.toml"); }
  [[nodiscard]] std::unique_ptr<Voice> voice(net::RunningLoop& loop) const {
    return std::make_unique<Voice>(loop, url_);
  }

 private:
  store::testing::TemporaryFolder folder_;
  std::unique_ptr<enfold::testing::Killable> process_;
  std::string url_;
  std::size_t seen_ = 0;
};

/// The test server has tools for tests that it does not list.
inline std::string upstream_table(const std::string& name, const std::string& era = "sessions",
                                  const std::string& more = "") {
  return fmt::format(
      "[upstreams.{}]\ncommand = \"{}\"\nargs = [\"{}\"]\nallow_unlisted_tools = true\n{}", name,
      ENFOLD_TEST_UPSTREAM, era, more);
}

}  // namespace enfold::gateway
