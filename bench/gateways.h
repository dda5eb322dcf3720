// SPDX-License-Identifier: Apache-2.0
// The ways to the tools of bench/upstream.cc: without a gateway, through Enfold, through the
// gateways of bench/peers and through nginx.
#pragma once

#include "bench/folder.h"
#include "bench/stdio_load.h"
#include "bench/web_process.h"

namespace enfold::bench {

enum class Kind { direct, enfold, npm, nginx };

struct Pipes {
  std::string name;
  Kind kind;
  std::shared_ptr<StdioLoad> load;
};

struct Web {
  std::string name;
  Kind kind;
  std::shared_ptr<WebProcess> server;
  std::shared_ptr<Connection> greeted;  ///< some forget a session with its connection
  std::string session;
  std::string tool;  ///< what `echo` is called there
};

[[nodiscard]] std::string upstream_program();
[[nodiscard]] std::string enfold_program();
/// With the archive in `folder`.
[[nodiscard]] std::vector<std::string> wrap_command(const Folder& folder,
                                                    const std::vector<std::string>& options = {},
                                                    const std::string& program = enfold_program());
/// nullopt: it does not start.
[[nodiscard]] std::optional<WebProcess> start_serve(const Folder& folder,
                                                    const std::string& program = enfold_program());
/// With a session.
[[nodiscard]] Web connect_to(const std::string& name, Kind kind, WebProcess started);

class Gateways {
 public:
  Gateways();

  [[nodiscard]] const std::vector<Pipes>& on_pipes() const { return on_pipes_; }
  [[nodiscard]] const std::vector<Web>& on_the_web() const { return on_the_web_; }
  [[nodiscard]] const std::vector<std::string>& absent() const { return absent_; }

 private:
  void add(const std::string& name, Kind kind, std::optional<WebProcess> started);
  void start_npm(std::uint16_t upstream);

  Folder folder_;
  Folder nginx_folder_;
  std::vector<Pipes> on_pipes_;
  std::vector<Web> on_the_web_;
  std::vector<std::string> absent_;
};

}  // namespace enfold::bench
