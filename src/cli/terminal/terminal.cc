// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/terminal.h"

#include "enfold/base/hidden_text.h"
#include "enfold/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

bool wants_colour(int descriptor) {
  // https://no-color.org: a NO_COLOR that is set and not empty means no colour.
  const char* refused = std::getenv("NO_COLOR");
  return isatty(descriptor) == 1 && (refused == nullptr || *refused == '\0');
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::bold: return "\033[1m";
    case Style::dim: return "\033[2m";
    case Style::red: return "\033[31m";
    case Style::green: return "\033[32m";
    case Style::yellow: return "\033[33m";
    case Style::cyan: return "\033[36m";
    case Style::plain: break;
  }
  return "";
}

std::string paint(std::string_view text, Style style, bool colour) {
  if (!colour || style == Style::plain) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_of(style), text);
}

}  // namespace

Terminal::Terminal()
    : colour_out_(wants_colour(STDOUT_FILENO)), colour_err_(wants_colour(STDERR_FILENO)) {}

void open_closed_standard_streams() {
  int opened = 0;
  do {
    opened = ::open("/dev/null", O_RDONLY);
  } while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened > STDERR_FILENO) ::close(opened);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::uint32_t previous = 0;  // the character before `c`
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = utf8::next(text, at);
    const bool is_control = (c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0);
    // After a character that is not ASCII, a joiner or variation selector is shown as it is: emoji
    // and some scripts need them.
    const bool is_needed = previous >= 0x80 && (c == 0x200C || c == 0x200D || (c >> 4) == 0xFE0);
    if (c == '\t') {
      out += "  ";
    } else if (is_control || (is_hidden(c) && !is_needed)) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out.append(text, begin, at - begin);
    }
    previous = c;
  }
  return out;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void Terminal::out(std::string_view text) {
  if (write_error_ != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) write_error_ = errno;
}

void Terminal::out(const json::Output& json) {
  json.each([&](std::string_view slice) { out(slice); });
}

void Terminal::out_row(std::string_view label, std::string_view text) {
  out(fmt::format("{} {}\n", styled(fmt::format("{:<9}", label), Style::bold), text));
}

void Terminal::err(std::string_view text) {
  end_progress();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Terminal::flush() {
  if (std::fflush(stdout) != 0 && write_error_ == 0) write_error_ = errno;
}

int Terminal::report(const Error& error, std::string_view source) {
  flush();
  err(fmt::format("{} {}\n", paint("error:", Style::red, colour_err_), printable(error.message)));
  if (!source.empty() || !error.where.empty()) {
    const char* comma = !source.empty() && !error.where.empty() ? ", " : "";
    err(fmt::format("  at {}{}{}\n", printable(source), comma, printable(error.where)));
  }
  advise(error.hint);
  return exit_code_of(error);
}

int Terminal::report_usage(const Error& error) {
  report(error);
  return kBadUsage;
}

void Terminal::warn(std::string_view text, std::string_view hint) {
  flush();
  err(fmt::format("{} {}\n", paint("warning:", Style::yellow, colour_err_), printable(text)));
  advise(hint);
}

void Terminal::advise(std::string_view hint) {
  if (hint.empty()) return;
  err(fmt::format("{} {}\n", paint("hint:", Style::cyan, colour_err_), printable(hint)));
}

std::string Terminal::styled(std::string_view text, Style style) const {
  return paint(text, style, colour_out_);
}

void Terminal::progress(std::string_view text) {
  if (isatty(STDERR_FILENO) != 1) return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
  progress_shown_ = true;
}

void Terminal::end_progress() {
  if (!progress_shown_) return;
  std::fputs("\r\033[K", stderr);
  progress_shown_ = false;
}

int Terminal::finish(int code) {
  end_progress();
  flush();
  if (write_error_ == 0) return code;
  if (write_error_ != EPIPE) {
    report({ErrorCode::internal,
            fmt::format("cannot write to standard output: {}", std::strerror(write_error_)), "",
            "what was written is not complete"});
  }
  return std::max<int>(code, kUnexpected);
}

int exit_code_of(const Error& error) { return mapping(error.code).exit_code; }

}  // namespace enfold::cli
