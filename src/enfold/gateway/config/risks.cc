// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/risks.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kOpenAddress = "open_address";
constexpr std::string_view kPlainHttp = "plain_http";
constexpr std::string_view kWritableConfig = "writable_config";
constexpr std::string_view kReadableKey = "readable_key";
constexpr std::array<std::string_view, 4> kNames{kOpenAddress, kPlainHttp, kWritableConfig,
                                                 kReadableKey};

using Rights = std::filesystem::perms;

// Whether users who are neither the owner nor in the group of the file have one of these rights;
// false if there is no such file.
bool others_may(const std::string& file, Rights rights) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && (status.permissions() & rights) != Rights::none;
}

}  // namespace

std::vector<Risk> listening_risks(const serve::HttpOptions& http, bool has_keys) {
  if (net::is_local_address(http.host)) return {};
  if (!has_keys) {
    return {{kOpenAddress, "/listen/address",
             fmt::format("everyone who reaches {} may call every tool: there are no principals",
                         http.host),
             "add [principals.NAME] with a hash from `enfold serve --hash-key`, or listen on "
             "127.0.0.1"}};
  }
  if (http.tls) return {};
  return {{kPlainHttp, "/listen/address",
           fmt::format("keys and answers cross the network unencrypted: {} is not a loopback "
                       "address and has no TLS",
                       http.host),
           "set listen.cert_file and listen.key_file, or listen on 127.0.0.1 behind a proxy that "
           "has TLS"}};
}

std::vector<Risk> file_risks(const std::string& config_file, const std::string& key_file) {
  std::vector<Risk> risks;
  if (others_may(config_file, Rights::others_write)) {
    risks.push_back({kWritableConfig, "",
                     fmt::format("every user of this machine may change {}", config_file),
                     fmt::format("run `chmod o-w {}`", config_file)});
  }
  if (others_may(key_file, Rights::others_read | Rights::others_write)) {
    risks.push_back(
        {kReadableKey, "/listen/key_file",
         fmt::format("every user of this machine may read or change the private key {}", key_file),
         fmt::format("run `chmod o= {}`", key_file)});
  }
  return risks;
}

Status check_risks(const std::vector<Risk>& risks, const std::vector<std::string>& accepted,
                   bool is_command) {
  for (const std::string& name : accepted) {
    if (std::ranges::find(kNames, name) != kNames.end()) continue;
    return fail(ErrorCode::invalid_input,
                fmt::format("expected the name of a risk, found \"{}\"", name), "/accept_risk",
                did_you_mean(name, std::vector<std::string>(kNames.begin(), kNames.end()),
                             fmt::format("choose one of {}", fmt::join(kNames, ", "))));
  }
  for (const Risk& risk : risks) {
    if (std::ranges::find(accepted, risk.name) != accepted.end()) continue;
    return fail(ErrorCode::invalid_input, risk.message, risk.pointer,
                fmt::format("{}; or accept the risk: {}", risk.advice,
                            is_command ? fmt::format("--accept-risk {}", risk.name)
                                       : fmt::format("accept_risk = [\"{}\"]", risk.name)));
  }
  return {};
}

}  // namespace enfold::gateway
