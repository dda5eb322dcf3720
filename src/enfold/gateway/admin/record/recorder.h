// SPDX-License-Identifier: Apache-2.0
// A ring of the calls that ended last: a row of each, and the originals of the answers as far as
// the limit of bytes allows. Originals are kept after redaction, share the bytes that were read,
// and are never written to disk. Used on the loop's thread only.
#pragma once

#include "enfold/gateway/admin/record/names_table.h"
#include "enfold/gateway/admin/record/tool_history.h"
#include "enfold/gateway/call/answer_writer.h"
#include "enfold/gateway/observe/metrics.h"

#include <deque>

namespace enfold::gateway {

/// An answer that can be shown and fitted again.
struct RecordedAnswer {
  std::shared_ptr<const PlannedAnswer> plan;
  json::Value source;       ///< the upstream's result after redaction; null: Enfold wrote `reply`
  answer::Receipt receipt;  ///< of the archived original; handle empty: it was not archived
  std::string reply;        ///< the result that the client got, as JSON; empty if `source` is set
};

using RecordTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// One finished call. Names are those of the tables of the Recorder.
struct RecordedCall {
  std::uint64_t id = 0;  ///< grows
  RecordTime time;
  NamesTable::Id client;  ///< Recorder::client_of has its text; Recorder::text those of the others
  NamesTable::Id principal, upstream, tool;
  NamesTable::Id outcome;  ///< as in the log: ok, partial, failed, refused …
  std::string request_id;
  std::string error;   ///< the beginning of the message of a failure
  std::string handle;  ///< of the archived original; empty: none
  std::optional<model::ErrorKind> kind;
  serve::LogLine::Weight weight;
  std::chrono::microseconds duration{0};
  std::uint64_t arguments_hash = 0;  ///< 0: not known
  int http_status = 0;               ///< of the upstream; 0: none
  bool is_refused = false;           ///< the upstream sent a JSON-RPC error
  bool is_exact = false;             ///< its tokens were counted, not estimated
  bool is_cut = false;
  bool is_repaired = false;
  bool is_redacted = false;
  bool is_failed = false;
  bool is_from_cache = false;
  std::shared_ptr<const RecordedAnswer> answer;  ///< null: not recorded, or dropped since
};

struct RecordingLimits {
  std::size_t bytes = std::size_t{32} << 20;  ///< of originals; 0: none are recorded
  std::size_t calls = 20'000;                 ///< rows
  /// Beyond this rate originals are not kept: an operator cannot look at more.
  std::size_t originals_per_second = 200;
};

class Recorder {
 public:
  /// Both references must outlive the recorder.
  Recorder(const Environment& environment, const RecordingLimits& limits)
      : environment_(environment),
        limits_(limits),
        originals_(limits.originals_per_second, std::chrono::seconds(1)) {}

  void add(const serve::LogLine& line, const CallDetails& details);

  [[nodiscard]] const std::deque<RecordedCall>& calls() const { return calls_; }  ///< oldest first
  [[nodiscard]] const RecordedCall* find(std::uint64_t id) const;  ///< nullptr: it left the ring
  [[nodiscard]] std::uint64_t last_id() const { return last_id_; }
  [[nodiscard]] const std::string& text(NamesTable::Id name) const { return names_.text(name); }
  /// Name and version of the client; empty: not known.
  [[nodiscard]] const std::string& client_of(const RecordedCall& call) const {
    return clients_.text(call.client);
  }
  [[nodiscard]] const ToolHistories& tools() const { return tools_; }
  /// How often the handles of archived answers were opened again.
  using Opened = std::map<std::string, std::uint64_t>;
  [[nodiscard]] const Opened& opened() const { return opened_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }  ///< of originals
  [[nodiscard]] std::size_t originals() const { return original_count_; }
  [[nodiscard]] const RecordingLimits& limits() const { return limits_; }

 private:
  [[nodiscard]] NamesTable::Id name(std::string_view text);
  [[nodiscard]] NamesTable::Id add_client(const CallDetails& details);
  void count_opened(const serve::LogLine& line);
  void keep_original(RecordedCall& call, const CallDetails& details);
  void make_room();
  void drop_original(RecordedCall& call);

  const Environment& environment_;
  RecordingLimits limits_;
  PeriodLimit<mcp::Time> originals_;
  NamesTable names_;
  NamesTable clients_;  ///< apart from the other names, because clients choose theirs
  ToolHistories tools_;
  Opened opened_;
  std::deque<RecordedCall> calls_;
  std::uint64_t last_id_ = 0;
  std::uint64_t oldest_original_ = 1;  ///< no call before this id has an original
  std::size_t original_count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace enfold::gateway
