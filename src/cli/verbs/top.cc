// SPDX-License-Identifier: Apache-2.0
// `enfold top`: shows the metrics of a running gateway, tool by tool, and refreshes them.
#include "cli/terminal/metrics_table.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/text.h"
#include "enfold/net/http/client.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

/// Reads single keys from the terminal, if standard input is one, and handles SIGINT and SIGTERM.
/// Restores the terminal mode when destroyed.
class Keyboard {
 public:
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();

  /// Waits for this time and returns false; returns true as soon as the user quits: with q, Ctrl-C,
  /// Ctrl-D, SIGINT, SIGTERM or the end of input.
  [[nodiscard]] bool wait_for_quit(std::chrono::milliseconds time);

 private:
  bool is_terminal_ = false;
  termios saved_mode_{};  ///< to restore
};

constexpr char kEndOfText = 3;   // Ctrl-C, where the terminal sends no SIGINT
constexpr char kEndOfInput = 4;  // Ctrl-D

std::atomic<bool> quit_requested{false};

void request_quit(int /*signal*/) { quit_requested = true; }

Keyboard::Keyboard() {
  struct sigaction action{};
  action.sa_handler = request_quit;  // without SA_RESTART, so that a signal ends a wait
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  is_terminal_ = isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &saved_mode_) == 0;
  if (!is_terminal_) return;
  termios mode = saved_mode_;
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &mode);
}

Keyboard::~Keyboard() {
  if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &saved_mode_);
}

bool Keyboard::wait_for_quit(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!quit_requested) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd input{is_terminal_ ? STDIN_FILENO : -1, POLLIN, 0};
    const int ready = ::poll(&input, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    char key = 0;
    const ssize_t got = ::read(STDIN_FILENO, &key, 1);
    if (got == 0) return true;
    if (got > 0 && (key == 'q' || key == 'Q' || key == kEndOfText || key == kEndOfInput)) {
      return true;
    }
  }
  return true;
}

using Clock = std::chrono::steady_clock;

constexpr std::size_t kEndless = 1'000'000'000;  // refreshes; one each second takes 31 years

struct TopOptions {
  std::string url = "http://127.0.0.1:8080/mcp";
  std::size_t interval = 2;          ///< seconds
  bool once = false;                 ///< one refresh
  std::optional<std::size_t> count;  ///< refreshes; nullopt: on a terminal any number, else one
  bool as_json = false;
};

// The URL of /metrics. `text`: that URL, the URL of the endpoint /mcp, or one without a path.
Result<net::Url> metrics_url(const std::string& text) {
  Result<net::Url> url = net::parse_url(text);
  if (!url) return url;
  constexpr std::string_view kEndpoint = "/mcp";
  constexpr std::string_view kPage = "/metrics";
  std::string& target = url->target;
  if (target.ends_with(kPage)) return url;
  if (target.ends_with(kEndpoint)) target.resize(target.size() - kEndpoint.size());
  if (target.ends_with('/')) target.pop_back();
  target += kPage;
  return url;
}

// The error for a reply with a status other than 200.
Error not_served(int status, const net::Url& url) {
  return {
      ErrorCode::unavailable, fmt::format("expected metrics, found status {}", status),
      url.origin() + url.target,
      status == 404 ? "the gateway serves them on loopback, or with [observe] metrics = true" : ""};
}

/// Fetches the metrics of a gateway.
class MetricsReader {
 public:
  explicit MetricsReader(net::Url url) : url_(std::move(url)), loop_(net::Loop::create().value()) {}

  /// Runs the loop until the reply is there.
  [[nodiscard]] Result<GatewayFigures> read() {
    std::optional<Result<net::ClientResponse>> outcome;
    net::ClientRequest request;
    request.url = url_;
    request.is_safe_to_repeat = true;
    const net::HttpCall call =
        client_.fetch(std::move(request), [&](Result<net::ClientResponse> response) {
          outcome = std::move(response);
          loop_->stop();
        });
    loop_->run();
    if (!outcome) return fail(ErrorCode::unavailable, "expected an answer, found none");
    if (!*outcome) return tl::unexpected(outcome->error());
    if ((*outcome)->head.status() != 200) {
      return tl::unexpected(not_served((*outcome)->head.status(), url_));
    }
    return read_metrics((*outcome)->body);
  }

 private:
  net::Url url_;
  std::unique_ptr<net::Loop> loop_;
  net::HttpClient client_{*loop_,
                          {.limits = {.connect_timeout = std::chrono::seconds(5),
                                      .head_timeout = std::chrono::seconds(10)}}};
};

// 0 if `counts` does not have the word.
double count_in(const std::map<std::string, double>& counts, const std::string& word) {
  const auto found = counts.find(word);
  return found != counts.end() ? found->second : 0;
}

// The lines above the table: gateway, upstreams, archive.
std::string heading(const GatewayFigures& now, const std::string& url, const Terminal& terminal) {
  std::string upstreams;
  for (const auto& [name, state] : now.upstreams) {
    const bool is_good = state == "ready" || state == "idle";
    const auto restarts = now.restarts.find(name);
    upstreams += fmt::format("{}{} {}", upstreams.empty() ? "" : " · ", printable(name),
                             terminal.styled(state, is_good ? Style::green : Style::red));
    if (restarts != now.restarts.end() && restarts->second > 0) {
      upstreams += fmt::format(" (restarted {:.0f}×)", restarts->second);
    }
  }
  std::string text = fmt::format(
      "enfold {}  {}  {}  {:.0f} session{}  {:.0f} open call{}\nupstreams  {}\n", now.version,
      printable(url), now.ready ? "ready" : terminal.styled("not ready", Style::red), now.sessions,
      now.sessions == 1 ? "" : "s", now.open_calls, now.open_calls == 1 ? "" : "s", upstreams);
  if (now.has_archive) {
    text += fmt::format("archive    {:.0f} answer{}, {}, {} stored\n", now.archive_entries,
                        now.archive_entries == 1 ? "" : "s", shown_bytes(now.archive_bytes),
                        shown_bytes(now.archive_stored_bytes));
  }
  return text + "\n";
}

// The name, printable and cut to `width` bytes; a cut name ends with ~.
std::string clipped(std::string_view name, std::size_t width) {
  const std::string text = printable(name);
  return text.size() <= width ? text : std::string(utf8::prefix(text, width - 1)) + "~";
}

std::string table(const std::vector<ToolRow>& rows, const Terminal& terminal) {
  if (rows.empty()) return "No tool has been called yet.\n";
  // Bytes; the format strings below have the same widths.
  constexpr std::size_t upstream_width = 12;
  constexpr std::size_t tool_width = 28;
  std::string text = terminal.styled(
      fmt::format(
          "{:<12} {:<28} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}  {:>8} → {:<7} {:>6} {:>6} {:>8}",
          "UPSTREAM", "TOOL", "CALLS", "CALLS/S", "OK", "FAILED", "P50", "P99", "TOKENS", "SHOWN",
          "WHOLE", "CUT", "ARCHIVED"),
      Style::bold);
  text += '\n';
  for (const ToolRow& row : rows) {
    const double whole = count_in(row.all.fidelities, "full");
    double answers = 0;
    for (const auto& [word, count] : row.all.fidelities) answers += count;
    const double succeeded =
        count_in(row.all.outcomes, "ok") + count_in(row.all.outcomes, "partial");
    text += fmt::format(
        "{:<12} {:<28} {:>7} {:>7.1f} {:>7} {:>7} {:>7} {:>7}  {:>8} → {:<7} {:>6} {:>6} {:>8}\n",
        clipped(row.upstream, upstream_width), clipped(row.tool, tool_width),
        shown_count(row.all.calls), row.per_second, shown_count(succeeded),
        shown_count(row.all.calls - succeeded), shown_time(row.p50), shown_time(row.p99),
        shown_count(row.all.tokens_before), shown_count(row.all.tokens_after), shown_count(whole),
        shown_count(answers - whole), shown_bytes(row.all.archived_bytes));
  }
  return text;
}

void show_json(const GatewayFigures& now, const std::vector<ToolRow>& rows, Terminal& terminal) {
  terminal.out_line(to_json(now, rows));
  terminal.flush();
}

// Shows the figures `count` times, or until the user quits. `live`: each refresh replaces the one
// before, and if a reading after the first fails, the next refresh tries again, as the gateway may
// be restarting. Not `live`: a reading that fails ends the program. Returns the exit code.
int show(MetricsReader& reader, const TopOptions& options, std::size_t count, bool live,
         Terminal& terminal) {
  std::optional<GatewayFigures> before;  // the last reading that succeeded
  Clock::time_point read_at;             // when it was made
  std::optional<Keyboard> keyboard;      // nullopt: there is only one refresh
  if (count > 1) keyboard.emplace();
  const auto draw = [&](const std::string& text) {
    terminal.out(live ? "\033[H\033[J" + text + terminal.styled("\nq quits\n", Style::dim) : text);
    terminal.flush();
  };
  while (terminal.is_open()) {
    Result<GatewayFigures> now = reader.read();
    const Clock::time_point time = Clock::now();
    if (!now && !(before && live)) return terminal.report(now.error());
    if (now) {
      const std::vector<ToolRow> rows = rows_of(*now, before ? &*before : nullptr, time - read_at);
      if (options.as_json) {
        show_json(*now, rows, terminal);
      } else {
        draw(heading(*now, options.url, terminal) + table(rows, terminal));
      }
      before = std::move(*now);
      read_at = time;
    } else if (!options.as_json) {
      draw(fmt::format("{}: {}\n", printable(options.url), printable(now.error().message)));
    }
    if (--count == 0 || keyboard->wait_for_quit(std::chrono::seconds(options.interval))) break;
  }
  return kOk;
}

int run_top(const TopOptions& options, Terminal& terminal) {
  Result<net::Url> url = metrics_url(options.url);
  if (!url) return terminal.report_usage(url.error());
  if (options.once && options.count.value_or(1) != 1) {
    return terminal.report_usage(
        {ErrorCode::invalid_input, "--once and --count exclude each other", "", "use one of them"});
  }
  MetricsReader reader(std::move(*url));
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  const std::size_t count = options.once ? 1 : options.count.value_or(is_terminal ? kEndless : 1);
  return show(reader, options, count, is_terminal && count > 1, terminal);
}

void declare_top_options(Arguments& arguments, TopOptions& options) {
  arguments.text("--url", "URL", options.url, "URL of the gateway, as clients use it");
  arguments.flag("--once", options.once, "Print one table and exit: --count 1");
  arguments.number("--count", options.count, {"a number of refreshes", 1, kEndless},
                   "Refreshes before it exits. Default: without a terminal 1");
  arguments.number("--interval", options.interval, {"a number of seconds", 1, 3600},
                   "Seconds between refreshes");
  arguments.flag("--json", options.as_json, "One JSON object per refresh");
  arguments.footer(
      "Shows the tools of a gateway (enfold serve), most called first: calls, calls per second,\n"
      "successes and failures, latency (p50, p99), tokens of the answers before and after\n"
      "fitting, whole and cut answers, and archived bytes. Rates and latencies cover the last\n"
      "interval, all other figures the time since the gateway started. q quits; without a\n"
      "terminal one table is printed, or --count of them. The source is /metrics, which a gateway\n"
      "serves on loopback, and elsewhere with --observe or [observe] metrics = true.\n\n"
      "Examples:\n"
      "  enfold top\n"
      "  enfold top --url http://127.0.0.1:9000/mcp --interval 5\n"
      "  enfold top --json | jq '.tools[] | {tool, calls, tokens_before, tokens_after}'");
}

}  // namespace

Run set_up_top(Arguments& arguments) { return set_up(arguments, declare_top_options, run_top); }

}  // namespace enfold::cli
