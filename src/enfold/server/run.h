// SPDX-License-Identifier: Apache-2.0
// The main function of a server: it serves over stdio, or over HTTP with --http PORT, and reads a
// configuration if the program declares one.
//   int main(int argc, char** argv) {
//     return server::run<Config>(argc, argv, [](const Config& config) -> Result<server::Server> {
//       …
//     });
//   }
#pragma once

#include "enfold/server/fields.h"
#include "enfold/server/server.h"
#include "enfold/tools/declare/config.h"

#include <memory>
#include <type_traits>

namespace enfold::serve {
struct HttpOptions;
}  // namespace enfold::serve

namespace enfold::server {

// The configuration is a JSON file, read into a struct that declares its keys with arguments() as a
// request does. Every key that is wrong is reported at once, with its place.
using tools::ConfigResult;
using tools::input_schema_of;
using tools::read_config;

/// Serves until the client closes its end, or SIGTERM or SIGINT; calls that were accepted are
/// answered first. The result is an exit code: 0, or 1 with an error on standard error.
[[nodiscard]] int serve_stdio(const Server& server);
/// Like serve_stdio. Prints its URL on standard error: `listening on http://127.0.0.1:8080/mcp`.
/// The header of HttpOptions is not part of the installed package: programs that use the package
/// call run(), which takes --http PORT.
[[nodiscard]] int serve_http(const Server& server, serve::HttpOptions options);

/// PROGRAM [--http PORT [--host ADDRESS]]; PORT 0: the system chooses. Exit code 5 for any other
/// command line.
[[nodiscard]] int run(const Server& server, int argc, char** argv);

namespace detail {

/// A path that converts to std::filesystem::path, whose header need not be included here.
struct Folder {
  std::string path;
  template <class Path>
    requires(std::is_constructible_v<Path, std::string>)
  operator Path() const {  // NOLINT(google-explicit-constructor): it is an argument of `make`
    return Path(path);
  }
};
/// The folder of a configuration file; empty for a name without a folder.
[[nodiscard]] Folder folder_of(const std::string& file);

/// Makes a server from the text of its configuration and the name of the file ("" without one).
class ServerMaker {
 public:
  virtual ~ServerMaker() = default;
  /// Fills `server`, or returns the errors.
  [[nodiscard]] virtual std::vector<Error> make(const std::string& text, const std::string& file,
                                                std::unique_ptr<Server>& server) = 0;
};
/// run() without the type of the configuration. `schema`: of the configuration.
[[nodiscard]] int run_configured(int argc, char** argv, const json::Value& schema,
                                 ServerMaker& maker);

template <class Config, class Make>
class ConfiguredServer final : public ServerMaker {
 public:
  explicit ConfiguredServer(Make& make) : make_(make) {}
  [[nodiscard]] std::vector<Error> make(const std::string& text, const std::string& file,
                                        std::unique_ptr<Server>& server) override {
    const ConfigResult<Config> config =
        read_config<Config>(text, file.empty() ? "the configuration" : file);
    if (!config) return config.error();
    // The condition is always false. It makes the type depend on Make, so that only programs that
    // call run<Config>() instantiate Result<Server>: the others compile faster.
    using Made = Result<std::conditional_t<std::is_void_v<Make>, void, Server>>;
    Made made = [&]() -> Made {
      if constexpr (std::is_invocable_v<Make&, const Config&, Folder>) {
        return make_(*config, folder_of(file));
      } else {
        return make_(*config);
      }
    }();
    if (!made) return {made.error()};
    server = std::make_unique<Server>(std::move(*made));
    return {};
  }

 private:
  Make& make_;
};

}  // namespace detail

/// PROGRAM [--config FILE] [--http PORT [--host ADDRESS]]. `make` takes the configuration and
/// returns a Result<Server>; its error ends the program. It may take a second parameter, a
/// std::filesystem::path or std::string: the folder of the configuration file, for relative paths;
/// empty without --config: the current folder.
template <Declares Config, class Make>
[[nodiscard]] int run(int argc, char** argv, Make make) {
  detail::ConfiguredServer<Config, Make> maker(make);
  return detail::run_configured(argc, argv, input_schema_of<Config>(), maker);
}

}  // namespace enfold::server
