// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/line_channel.h"

#include "enfold/base/lifetime.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace enfold::net {
namespace {

// A line that does not end in its first piece gets room for this many pieces.
constexpr std::size_t kPiecesToExpect = 4;

// After this many lines of one read the loop serves others first. A line that is no message takes
// the gateway about three microseconds.
constexpr std::size_t kMaxLinesPerRead = 256;

}  // namespace

std::size_t LineReader::feed(std::string_view bytes, LineEvents& events, const bool& stopped,
                             std::size_t max_lines) {
  const std::size_t size = bytes.size();
  while (!bytes.empty() && !stopped && max_lines > 0) {
    const std::size_t end = bytes.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view piece = bytes.substr(0, whole ? end : bytes.size());
    bytes.remove_prefix(whole ? end + 1 : bytes.size());
    if (whole) --max_lines;
    if (!skipping_ && partial_.size() + piece.size() > max_) start_skipping(piece, events);
    if (skipping_) {
      keep_end(piece);
      if (whole) stop_skipping(events);
    } else if (!whole) {
      if (partial_.empty()) partial_.reserve(std::min(kPiecesToExpect * piece.size(), max_));
      partial_.append(piece);
    } else if (partial_.empty()) {
      complete(piece, events);
    } else {
      partial_.append(piece);
      // Moved out, so that the memory of a long line is freed afterwards.
      const std::string line = std::exchange(partial_, {});
      complete(line, events);
    }
  }
  return size - bytes.size();
}

void LineReader::complete(std::string_view line, LineEvents& events) {
  ++lines_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.empty() && events.on_line) events.on_line(line);
}

void LineReader::start_skipping(std::string_view piece, LineEvents& events) {
  skipping_ = true;
  ++lines_;
  std::string beginning = std::exchange(partial_, {});
  keep_end(beginning);
  beginning.append(piece.substr(0, max_ - beginning.size()));
  const Error error{ErrorCode::limit_exceeded,
                    fmt::format("a line is longer than {} bytes and was skipped", max_),
                    fmt::format("line {}", lines_),
                    "raise the line limit, or send smaller messages"};
  if (events.on_oversize) {
    events.on_oversize(error, beginning);
  } else if (events.on_noise) {
    events.on_noise(error);
  }
}

void LineReader::keep_end(std::string_view piece) {
  end_.append(piece.substr(piece.size() - std::min(piece.size(), kKeptOfEnd)));
  if (end_.size() > kKeptOfEnd) end_.erase(0, end_.size() - kKeptOfEnd);
}

void LineReader::stop_skipping(LineEvents& events) {
  skipping_ = false;
  const std::string end = std::exchange(end_, {});
  if (events.on_skipped) events.on_skipped(end);
}

Status LineReader::finish() {
  skipping_ = false;
  end_.clear();
  if (partial_.empty()) return {};
  const std::size_t size = std::exchange(partial_, {}).size();
  return fail(ErrorCode::protocol_violation,
              fmt::format("the stream ended inside a line, after {} bytes of it", size),
              fmt::format("line {}", lines_ + 1), "end every message with a line feed");
}

class LineChannel::State {
 public:
  State(Loop& loop, const LineLimits& limits, LineEvents events)
      : loop_(loop),
        limits_(limits),
        events_(std::move(events)),
        reader_(limits.max_line_bytes),
        input_(loop, input_side_),
        output_(loop, output_side_) {
    output_.report_sent(false);  // on_sent() is needed only while the queue is full
  }

  Status open(FileDescriptor input, FileDescriptor output) {
    ENFOLD_TRY(input_.open(std::move(input), Stream::Direction::input));
    if (!output) return {};
    return output_.open(std::move(output), Stream::Direction::output);
  }

  Sent send(std::string line) {
    if (output_.queued() + line.size() >= limits_.max_queued_bytes) return Sent::refused;
    return send_anyway(std::move(line));
  }

  Sent send_anyway(std::string line) {
    if (closed_ || finishing_ || !output_.is_open()) return Sent::refused;
    if (line.find('\n') != std::string::npos) return Sent::refused;
    line.push_back('\n');
    output_.write(std::move(line));
    if (!full_ && output_.queued() >= limits_.high_water_bytes) set_full(true);
    return full_ ? Sent::full : Sent::queued;
  }

  [[nodiscard]] std::size_t queued() const { return output_.queued(); }
  void pause() { set(paused_, true); }
  void resume() { set(paused_, false); }
  void hold() {
    stops_reader_ = true;
    set(held_, true);
  }
  void release() {
    stops_reader_ = closed_;
    set(held_, false);
  }
  void finish_output() {
    finishing_ = true;
    output_.finish_output();
  }
  void close() {
    closed_ = stops_reader_ = true;
    input_.close();
    output_.close();
  }

 private:
  struct InputSide final : StreamOwner {
    explicit InputSide(State& channel) : state(channel) {}
    std::size_t on_bytes(std::string_view bytes) override { return state.read(bytes); }
    void on_end() override { state.end(); }
    void on_failure(const Error& error) override {
      state.report_failure(error);
      state.end();
    }
    State& state;  // NOLINT: this object is a part of it, so it lives as long
  };
  struct OutputSide final : StreamOwner {
    explicit OutputSide(State& channel) : state(channel) {}
    std::size_t on_bytes(std::string_view bytes) override { return bytes.size(); }
    void on_end() override {}
    void on_failure(const Error& error) override { state.report_failure(error); }
    void on_sent() override {
      if (state.output_.queued() >= state.limits_.high_water_bytes) return;
      state.set_full(false);
      if (state.events_.on_writable) state.events_.on_writable();
    }
    State& state;  // NOLINT: this object is a part of it, so it lives as long
  };

  std::size_t read(std::string_view bytes) {
    const std::size_t used = reader_.feed(bytes, events_, stops_reader_, kMaxLinesPerRead);
    if (closed_) return bytes.size();
    if (used < bytes.size() && !held_) {
      set(yields_, true);
      loop_.defer(lifetime_.guarded([this] { set(yields_, false); }));
    }
    return used;
  }
  // `reason`: one of paused_, held_ and yields_. Reading goes on when none of them is left.
  void set(bool& reason, bool value) {
    reason = value;
    if (paused_ || held_ || yields_) {
      input_.pause();
    } else if (!closed_) {
      input_.resume();
    }
  }
  void set_full(bool full) {
    full_ = full;
    output_.report_sent(full);
  }
  void end() {
    const std::string rest(reader_.rest());
    const Status finished = reader_.finish();
    if (!finished && !closed_ && events_.on_rest) {
      events_.on_rest(finished.error(), rest);
    } else if (!finished && !closed_ && events_.on_noise) {
      events_.on_noise(finished.error());
    }
    if (!closed_ && events_.on_end) events_.on_end();
  }
  void report_failure(const Error& error) {
    if (!closed_ && events_.on_failure) events_.on_failure(error);
  }

  Loop& loop_;
  LineLimits limits_;
  LineEvents events_;
  LineReader reader_;
  InputSide input_side_{*this};
  OutputSide output_side_{*this};
  Stream input_;
  Stream output_;
  bool full_ = false;          ///< send() returned `full`, and on_writable was not called since
  bool finishing_ = false;     ///< finish_output() was called
  bool closed_ = false;        ///< close() was called
  bool paused_ = false;        ///< by pause()
  bool held_ = false;          ///< by hold()
  bool yields_ = false;        ///< until the end of this iteration of the loop
  bool stops_reader_ = false;  ///< closed_ or held_: the reader stops after the current line
  Lifetime lifetime_;
};

LineChannel::LineChannel(std::unique_ptr<State> state) : state_(std::move(state)) {}

// May run inside a callback of the channel, so the streams live until the loop iteration ends.
LineChannel::~LineChannel() {
  state_->close();
  loop_->defer([state = std::move(state_)] {});
}

Result<std::unique_ptr<LineChannel>> LineChannel::open(Loop& loop, FileDescriptor input,
                                                       FileDescriptor output,
                                                       const LineLimits& limits,
                                                       LineEvents events) {
  auto state = std::make_unique<State>(loop, limits, std::move(events));
  ENFOLD_TRY(state->open(std::move(input), std::move(output)));
  std::unique_ptr<LineChannel> channel(new LineChannel(std::move(state)));
  channel->loop_ = &loop;
  return channel;
}

Result<std::unique_ptr<LineChannel>> LineChannel::open_stdio(Loop& loop, const LineLimits& limits,
                                                             LineEvents events) {
  ENFOLD_TRY(FileDescriptor input, reopen_without_blocking(STDIN_FILENO, /*for_input=*/true));
  ENFOLD_TRY(FileDescriptor output, reopen_without_blocking(STDOUT_FILENO, /*for_input=*/false));
  return open(loop, std::move(input), std::move(output), limits, std::move(events));
}

LineChannel::Sent LineChannel::send(std::string line) { return state_->send(std::move(line)); }
LineChannel::Sent LineChannel::send_anyway(std::string line) {
  return state_->send_anyway(std::move(line));
}
std::size_t LineChannel::queued() const { return state_->queued(); }
void LineChannel::pause() { state_->pause(); }
void LineChannel::resume() { state_->resume(); }
void LineChannel::hold() { state_->hold(); }
void LineChannel::release() { state_->release(); }
void LineChannel::finish_output() { state_->finish_output(); }
void LineChannel::close() { state_->close(); }

Result<FileDescriptor> reopen_without_blocking(int descriptor, bool for_input) {
  const char* name = for_input ? "standard input" : "standard output";
  struct stat about{};
  if (::fstat(descriptor, &about) != 0) return tl::unexpected(system_error("look at", errno, name));
  // Opening a file on disk again would start at its beginning, and it never blocks. A socket cannot
  // be opened again, and is read and written with MSG_DONTWAIT.
  if (!S_ISSOCK(about.st_mode) && !S_ISREG(about.st_mode)) {
    const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
    const int flags = (for_input ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    if (const int opened = ::open(path.c_str(), flags); opened >= 0) return FileDescriptor(opened);
  }
  FileDescriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  if (!copy) return tl::unexpected(system_error("duplicate a descriptor", errno, name));
  if (!S_ISSOCK(about.st_mode) && !S_ISREG(about.st_mode)) {
    const int flags = ::fcntl(copy.get(), F_GETFL);
    if (flags < 0 || ::fcntl(copy.get(), F_SETFL, flags | O_NONBLOCK) != 0)
      return tl::unexpected(system_error("switch off blocking", errno, name));
  }
  return copy;
}

}  // namespace enfold::net
