// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/answer_services.h"

#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/json/document.h"
#include "enfold/retrieve/sql/sql.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::tools {
namespace {

// Bytes of originals, after compression, that memory keeps while the archive fails.
constexpr std::uint64_t kMostSpareBytes = std::uint64_t{64} << 20;

// Bytes of archived answers that are kept parsed. Parsed they take one and a half times as much.
constexpr std::size_t kMostOpenedBytes = std::size_t{32} << 20;

constexpr std::size_t kKeyBytes = 32;  // of a generated key

// The key of the settings, or a random one.
Result<contract::CursorKey> cursor_key(const ServiceSettings& settings, serve::Host& host) {
  std::string bytes = settings.cursor_key;
  if (bytes.empty()) {
    std::array<std::uint8_t, kKeyBytes> random{};
    host.fill_random(random);
    bytes.assign(random.begin(), random.end());
  }
  return contract::CursorKey::from_bytes(std::move(bytes));
}

std::shared_ptr<store::ArchiveWithSpare> archive_with_spare(const ServiceSettings& settings,
                                                            serve::Host& host) {
  if (!settings.archive) return nullptr;
  store::ArchiveOptions spare = settings.archive_options;
  spare.max_bytes = kMostSpareBytes;
  spare.max_bytes_per_principal = std::min(spare.max_bytes_per_principal, kMostSpareBytes / 4);
  return store::archive_with_spare(settings.archive, spare, [&host](std::function<void()> job) {
    return host.work(std::move(job));
  });
}

}  // namespace

Result<AnswerServices> make_services(const ServiceSettings& settings, std::string name,
                                     std::string version, serve::Host& host) {
  const auto contracts = contract::answer_contracts();
  if (std::find(contracts.begin(), contracts.end(), settings.contract) == contracts.end()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected the name of a contract or none, found {}",
                            json::quote(settings.contract)),
                "settings.contract", "`enfold contracts` lists them");
  }
  if (settings.budget) {
    if (const Status status = budget::check(*settings.budget); !status) {
      return fail(status.error().code, status.error().message, "settings.budget",
                  status.error().hint);
    }
  }
  if (settings.workers == 0) {
    return fail(ErrorCode::invalid_input, "expected at least one worker, found 0",
                "settings.workers", "slow tools, resources and prompts run on workers");
  }
  ENFOLD_TRY(contract::CursorKey key, cursor_key(settings, host));
  contract::NegotiationInputs inputs{.default_config = settings.contract};
  const AnswerContract with_v2_flag = answer_contract(contract::negotiate(inputs).contract);
  inputs.response_contract_v2 = false;
  const auto spare = archive_with_spare(settings, host);
  return AnswerServices{
      .settings = &settings,
      .name = std::move(name),
      .version = std::move(version),
      .host = &host,
      .archive = spare ? std::shared_ptr<store::Archive>(spare)
                       : store::memory_archive(settings.archive_options),
      .archive_with_spare = spare,
      .counters = settings.counters ? settings.counters : store::memory_counters(),
      .spare_counters = store::memory_counters(),
      .archive_log = std::make_shared<StoreLog>(settings.log, "archive"),
      .counters_log = std::make_shared<StoreLog>(settings.log, "rate_limits"),
      .offers_sql = retrieve::has_sql(),
      .key = std::move(key),
      .opened = std::make_shared<OpenedAnswers>(kMostOpenedBytes),
      .contract_with_v2_flag = with_v2_flag,
      .contract_without_v2_flag = answer_contract(contract::negotiate(inputs).contract)};
}

void StoreLog::note(const Error* problem) {
  // A store that works refuses what is too large.
  if (problem != nullptr && problem->code == ErrorCode::limit_exceeded) return;
  if (is_failing_.exchange(problem != nullptr) == (problem != nullptr) || !log_) return;
  if (problem == nullptr) return log_({.event = name_ + "_available"});
  std::string note = problem->message;
  if (!problem->where.empty()) note += fmt::format(" at {}", problem->where);
  if (!problem->hint.empty()) note += fmt::format("; {}", problem->hint);
  log_({.level = serve::LogLine::Level::error,
        .event = name_ + "_unavailable",
        .note = std::move(note)});
}

std::string text_for_log(std::string_view text, const ServiceSettings& settings) {
  return settings.redaction ? redact::redact_text(text, *settings.redaction) : std::string(text);
}

std::string seal_state(const json::Value& state, std::string_view asker, std::string_view principal,
                       const AnswerServices& services, std::chrono::seconds life) {
  json::Writer writer;
  writer.begin_object().member("state", state).member("about", asker);
  writer.member("until", seconds_of(*services.host) + life.count()).end_object();
  return contract::sign_cursor(std::move(writer).finish_value().view(), services.key, principal);
}

Result<json::Value> open_state(std::string_view sealed, std::string_view asker,
                               std::string_view principal, const AnswerServices& services) {
  const Result<json::Value> opened = contract::verify_cursor(sealed, services.key, principal);
  if (!opened) {
    return fail(ErrorCode::invalid_input, "expected requestState as this server gave it",
                "requestState", "call again without it");
  }
  const json::View content = opened->view();
  const auto until = content.find("until");
  const auto state = content.find("state");
  const bool is_valid = state && until && until->integer() &&
                        *until->integer() >= seconds_of(*services.host) &&
                        json::string_member(content, "about") == asker;
  if (!is_valid) {
    return fail(ErrorCode::invalid_input,
                "expected a requestState of this call that has not expired", "requestState",
                "call again without it");
  }
  return json::Value(*state);
}

}  // namespace enfold::tools
