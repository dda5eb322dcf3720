// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/line_channel.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace enfold::net {

class LineChannel::State {
 public:
  State(Loop& loop, const LineLimits& limits, LineEvents events)
      : limits_(limits),
        events_(std::move(events)),
        reader_(limits.max_line_bytes),
        input_(loop, input_side_),
        output_(loop, output_side_) {
    reader_events_.on_line = [this](std::string_view line) {
      if (!closed_ && events_.on_line) events_.on_line(line);
    };
    reader_events_.on_oversize = [this](const Error& error, std::string_view beginning) {
      if (!events_.on_oversize) {
        report_noise(error);
      } else if (!closed_) {
        events_.on_oversize(error, beginning);
      }
    };
    reader_events_.on_skipped = [this](std::string_view end) {
      if (!closed_ && events_.on_skipped) events_.on_skipped(end);
    };
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
    full_ = full_ || output_.queued() >= limits_.high_water_bytes;
    return full_ ? Sent::full : Sent::queued;
  }

  [[nodiscard]] std::size_t queued() const { return output_.queued(); }
  void pause() { input_.pause(); }
  void resume() { input_.resume(); }
  void finish_output() {
    finishing_ = true;
    output_.finish_output();
  }
  void close() {
    closed_ = true;
    input_.close();
    output_.close();
  }

 private:
  struct InputSide final : StreamOwner {
    explicit InputSide(State& whole) : state(whole) {}
    std::size_t on_bytes(std::string_view bytes) override {
      state.reader_.feed(bytes, state.reader_events_);
      return bytes.size();
    }
    void on_end() override { state.end(); }
    void on_failure(const Error& error) override {
      state.report_failure(error);
      state.end();
    }
    State& state;  // NOLINT: a part of it
  };
  struct OutputSide final : StreamOwner {
    explicit OutputSide(State& whole) : state(whole) {}
    std::size_t on_bytes(std::string_view bytes) override { return bytes.size(); }
    void on_end() override {}
    void on_failure(const Error& error) override { state.report_failure(error); }
    void on_sent() override {
      if (!state.full_ || state.output_.queued() >= state.limits_.high_water_bytes) return;
      state.full_ = false;
      if (state.events_.on_drain) state.events_.on_drain();
    }
    State& state;  // NOLINT: a part of it
  };

  void report_noise(const Error& error) {
    if (!closed_ && events_.on_noise) events_.on_noise(error);
  }
  void end() {
    const std::string rest(reader_.rest());
    if (Status finished = reader_.finish(); !finished) {
      if (closed_ || !events_.on_rest) {
        report_noise(finished.error());
      } else {
        events_.on_rest(finished.error(), rest);
      }
    }
    if (!closed_ && events_.on_end) events_.on_end();
  }
  void report_failure(const Error& error) {
    if (!closed_ && events_.on_failure) events_.on_failure(error);
  }

  LineLimits limits_;
  LineEvents events_;
  LineReader reader_;
  LineReader::Events reader_events_;
  InputSide input_side_{*this};
  OutputSide output_side_{*this};
  Stream input_;
  Stream output_;
  bool full_ = false;
  bool finishing_ = false;
  bool closed_ = false;
};

LineChannel::LineChannel(std::unique_ptr<State> state) : state_(std::move(state)) {}

// A channel may be dropped inside one of its own callbacks, so its streams go at the end of the
// turn.
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
  ENFOLD_TRY(FileDescriptor input, reopen_without_blocking(STDIN_FILENO, true));
  ENFOLD_TRY(FileDescriptor output, reopen_without_blocking(STDOUT_FILENO, false));
  return open(loop, std::move(input), std::move(output), limits, std::move(events));
}

LineChannel::Sent LineChannel::send(std::string line) { return state_->send(std::move(line)); }
LineChannel::Sent LineChannel::send_anyway(std::string line) {
  return state_->send_anyway(std::move(line));
}
std::size_t LineChannel::queued() const { return state_->queued(); }
void LineChannel::pause() { state_->pause(); }
void LineChannel::resume() { state_->resume(); }
void LineChannel::finish_output() { state_->finish_output(); }
void LineChannel::close() { state_->close(); }

Result<FileDescriptor> reopen_without_blocking(int descriptor, bool for_input) {
  const char* name = for_input ? "standard input" : "standard output";
  struct stat about{};
  if (::fstat(descriptor, &about) != 0) return tl::unexpected(system_error("look at", errno, name));
  // A file on disk would be opened at its beginning, and it never blocks; a socket cannot be
  // opened, and is read and written without waiting anyway.
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
