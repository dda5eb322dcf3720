// SPDX-License-Identifier: Apache-2.0
// A ring of the calls that ended last: a row of each, and the originals of the newest answers, as
// many as the limit of bytes allows. Originals are kept redacted, share the bytes of the message
// that was read, and are never written to disk; of requests only what a row shows is kept. Used on
// the loop's thread only.
#pragma once

#include "enfold/gateway/admin/record/names_table.h"
#include "enfold/gateway/admin/record/refit_settings.h"
#include "enfold/gateway/admin/record/ring.h"
#include "enfold/gateway/admin/record/tool_history.h"
#include "enfold/gateway/call/answer_writer.h"
#include "enfold/gateway/observe/metrics.h"

namespace enfold::gateway {

/// An answer that can be shown and fitted again.
struct RecordedAnswer {
  /// The plan of the call, without the client; in place of the arguments it has the words that a
  /// cut depends on.
  std::shared_ptr<const PlannedAnswer> plan;
  json::Value source;       ///< the upstream's result after redaction; null: Enfold wrote `reply`
  answer::Receipt receipt;  ///< of the archived original; handle empty: it was not archived
  /// The result that the client got, as JSON; empty: it is written again from `source`.
  std::string reply;
  std::size_t bytes = 0;  ///< of memory, as the recorder counts them
};

using RecordTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// The part of a recorded call that is plain data.
struct CallFacts {
  std::uint64_t id = 0;  ///< 1 for the first call; each call has the next number
  RecordTime time;
  NamesTable::Id client = 0;
  NamesTable::Id principal = 0;
  NamesTable::Id upstream = 0;
  NamesTable::Id tool = 0;
  answer::CallOutcome outcome = answer::CallOutcome::ok;
  std::optional<model::ErrorKind> kind;  ///< of a failure; nullopt: none, or not known
  serve::LogLine::Weight weight;
  std::chrono::microseconds duration{0};
  std::uint64_t arguments_hash = 0;  ///< 0: not known
  int http_status = 0;               ///< of the upstream; 0: none
  bool is_refused = false;           ///< the upstream sent a JSON-RPC error
  bool is_exact = false;             ///< the tokens were counted, not estimated
  bool is_cut = false;
  bool is_repaired = false;
  bool is_redacted = false;
  bool is_failed = false;  ///< the outcome is `failed` or `refused`
  bool is_from_cache = false;
  bool has_envelope = false;  ///< the answer was written in a contract
  bool is_text = false;       ///< AnswerFacts::is_text
};

/// One finished call. For the texts of the names ask the Recorder (`client_of` …).
struct RecordedCall : CallFacts {
  std::string request_id;
  std::string error;                             ///< the beginning of the message of a failure
  std::string handle;                            ///< of the archived original; empty: none
  std::shared_ptr<const RecordedAnswer> answer;  ///< null: not recorded, or dropped since
  /// The settings that an archived answer was fitted with, as far as RefitSettings has them; null:
  /// the answer was not archived.
  std::unique_ptr<const RefitSettings> fit;
};

struct RecordingLimits {
  std::size_t bytes = std::size_t{32} << 20;  ///< of originals; 0: none are recorded
  std::size_t calls = 20'000;                 ///< rows
  /// Of further answers in the same second no originals are kept: no operator could look at them.
  std::size_t originals_per_second = 200;
};

class Recorder {
 public:
  /// Both references must outlive the recorder.
  Recorder(const Environment& environment, const RecordingLimits& limits)
      : environment_(environment),
        limits_(limits),
        calls_(limits.calls),
        originals_limit_(limits.originals_per_second, std::chrono::seconds(1)) {}

  void add(const serve::LogLine& line, const CallDetails& details);

  /// The tokens of an answer were counted: its row has them from now on in place of estimates.
  void set_counted(std::uint64_t id, std::uint64_t tokens_before, std::uint64_t tokens_after);

  [[nodiscard]] const Ring<RecordedCall>& calls() const { return calls_; }  ///< oldest first
  [[nodiscard]] const RecordedCall* find(std::uint64_t id) const;  ///< nullptr: it left the ring
  [[nodiscard]] std::uint64_t last_id() const { return last_id_; }

  // The names of a call, redacted for operators.
  /// Name and version of the client; empty: not known.
  [[nodiscard]] const std::string& client_of(const RecordedCall& call) const {
    return clients_.text(call.client);
  }
  /// Empty: the gateway has no principals.
  [[nodiscard]] const std::string& principal_of(const RecordedCall& call) const {
    return configured_names_.text(call.principal);
  }
  [[nodiscard]] const std::string& upstream_of(const RecordedCall& call) const {
    return configured_names_.text(call.upstream);
  }
  [[nodiscard]] const std::string& tool_of(const RecordedCall& call) const {
    return tool_names_.text(call.tool);
  }
  /// The principal, not redacted, as the archive has it as owner; empty: there are no principals.
  [[nodiscard]] const std::string& owner_of(const RecordedCall& call) const {
    return configured_names_.name(call.principal);
  }
  /// The names of upstream and tool, not redacted, as the metrics have them.
  [[nodiscard]] Metrics::ToolKey key_of(const ToolHistories::key_type& tool) const {
    return {configured_names_.name(tool.first), tool_names_.name(tool.second)};
  }
  [[nodiscard]] const ToolHistories& tools() const { return tools_; }
  /// By handle: how often the archived answer was opened again.
  using Opened = std::map<std::string, std::uint64_t>;
  [[nodiscard]] const Opened& opened() const { return opened_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }  ///< of originals
  /// The number of originals.
  [[nodiscard]] std::size_t originals() const { return original_count_; }
  [[nodiscard]] const RecordingLimits& limits() const { return limits_; }

 private:
  /// Names that clients choose are shortened to this length.
  static constexpr std::size_t kMaxNameBytes = 128;
  /// A client of a recent call, so that its name need not be formatted for each call.
  struct RecentClient {
    std::string info;  ///< `clientInfo` as JSON; empty: none yet
    NamesTable::Id id = 0;
  };

  /// A tool of a recent call, so that its names and history need not be found for each call.
  struct RecentTool {
    std::string upstream;  ///< as metrics_name() has it; empty: no tool yet
    std::string tool;
    NamesTable::Id upstream_id = 0;
    NamesTable::Id tool_id = 0;
    ToolHistory* history = nullptr;  ///< nullptr: the tool has none
  };

  /// Sets the names of upstream and tool, and returns the history of the tool; nullptr: none.
  ToolHistory* name_tool(RecordedCall& call, const serve::LogLine& line, bool is_listed);
  /// The id of an upstream or principal.
  [[nodiscard]] NamesTable::Id configured_name(std::string_view name);
  [[nodiscard]] NamesTable::Id tool_name(std::string_view name, bool is_listed);
  [[nodiscard]] NamesTable::Id client_name(const CallDetails& details);
  /// Sets the members of `call` that come from the details.
  void describe(RecordedCall& call, const CallDetails& details) const;
  void count_opened(const serve::LogLine& line, answer::CallOutcome outcome);
  void keep_original(RecordedCall& call, const CallDetails& details);
  /// Drops the oldest originals beyond the limit of bytes.
  void make_room();
  void drop_original(RecordedCall& call);

  const Environment& environment_;
  RecordingLimits limits_;
  Ring<RecordedCall> calls_;
  PeriodLimit<mcp::Time> originals_limit_;
  NamesTable configured_names_;  ///< of upstreams and principals
  NamesTable tool_names_;
  NamesTable clients_;
  std::array<RecentClient, 32> recent_clients_;  ///< at the length of `info`, modulo the size
  std::array<RecentTool, 32> recent_tools_;  ///< at the last letter of the tool, modulo the size
  ToolHistories tools_;
  Opened opened_;
  std::uint64_t last_id_ = 0;
  std::uint64_t oldest_original_ = 1;  ///< no call before this id has an original
  std::size_t original_count_ = 0;
  std::size_t bytes_ = 0;  ///< of originals
};

}  // namespace enfold::gateway
