// SPDX-License-Identifier: Apache-2.0
// What a running gateway does, tool by tool, again and again until somebody has seen enough.
#include "cli/exit_code.h"
#include "cli/terminal/keyboard.h"
#include "cli/terminal/metrics_table.h"
#include "cli/verbs/verbs.h"
#include "enfold/net/http/client.h"

#include <array>
#include <fmt/format.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct TopOptions {
  std::string url = "http://127.0.0.1:8080/mcp";
  std::size_t interval = 2;  ///< seconds
  bool once = false;
  bool as_json = false;
};

// The address of the endpoint, of the metrics, or only of the machine: all mean the same.
Result<net::Url> metrics_url(const std::string& given) {
  Result<net::Url> url = net::parse_url(given);
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

Error not_served(int status, const net::Url& url) {
  return {
      ErrorCode::unavailable, fmt::format("expected metrics, found status {}", status),
      url.origin() + url.target,
      status == 404 ? "the gateway shows them on loopback, or with [observe] metrics = true" : ""};
}

class Watcher {
 public:
  explicit Watcher(net::Url url) : url_(std::move(url)), loop_(net::Loop::create().value()) {}

  [[nodiscard]] Result<GatewayFigures> look() {
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
    if (!outcome) return fail(ErrorCode::unavailable, "no answer came");
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

double count_in(const std::map<std::string, double>& counts, const std::string& word) {
  const auto found = counts.find(word);
  return found != counts.end() ? found->second : 0;
}

std::string heading(const GatewayFigures& now, const std::string& url, const Terminal& terminal) {
  std::string upstreams;
  for (const auto& [name, state] : now.upstreams) {
    const bool good = state == "ready" || state == "idle";
    const auto restarts = now.restarts.find(name);
    upstreams += fmt::format("{}{} {}", upstreams.empty() ? "" : " · ", printable(name),
                             terminal.styled(state, good ? Style::green : Style::red));
    if (restarts != now.restarts.end() && restarts->second > 0) {
      upstreams += fmt::format(" (restarted {:.0f}×)", restarts->second);
    }
  }
  std::string text = fmt::format(
      "enfold {}  {}  {}  {:.0f} session{}  {:.0f} open call{}\nupstreams  {}\n", now.version,
      printable(url), now.ready ? "ready" : terminal.styled("not ready", Style::red), now.sessions,
      now.sessions == 1 ? "" : "s", now.open_calls, now.open_calls == 1 ? "" : "s", upstreams);
  if (now.has_archive) {
    text += fmt::format("archive    {:.0f} answer{}, {}, {} at rest\n", now.archive_entries,
                        now.archive_entries == 1 ? "" : "s", shown_bytes(now.archive_bytes),
                        shown_bytes(now.archive_stored_bytes));
  }
  return text + "\n";
}

std::string clipped(std::string_view name, std::size_t width) {
  std::string text = printable(name);
  if (text.size() <= width) return text;
  text.resize(width - 1);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) {
    text.pop_back();
  }
  return text + "~";
}

std::string table(const std::vector<ToolRow>& rows, const Terminal& terminal) {
  if (rows.empty()) return "No tool has been called yet.\n";
  constexpr std::size_t kName = 28;
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
    const double good = count_in(row.all.outcomes, "ok") + count_in(row.all.outcomes, "partial");
    text += fmt::format(
        "{:<12} {:<28} {:>7} {:>7.1f} {:>7} {:>7} {:>7} {:>7}  {:>8} → {:<7} {:>6} {:>6} {:>8}\n",
        clipped(row.upstream, 12), clipped(row.tool, kName), shown_count(row.all.calls),
        row.per_second, shown_count(good), shown_count(row.all.calls - good), shown_time(row.p50),
        shown_time(row.p99), shown_count(row.all.tokens_before), shown_count(row.all.tokens_after),
        shown_count(whole), shown_count(answers - whole), shown_bytes(row.all.archived_bytes));
  }
  return text;
}

int report(const Error& error, Terminal& terminal) {
  terminal.report(error);
  return exit_code_of(error);
}

void show_json(const GatewayFigures& now, const std::vector<ToolRow>& rows, Terminal& terminal) {
  terminal.out(to_json(now, rows));
  terminal.out("\n");
  terminal.flush();
}

int show_once(Watcher& watcher, const TopOptions& options, Terminal& terminal) {
  const Result<GatewayFigures> now = watcher.look();
  if (!now) return report(now.error(), terminal);
  const std::vector<ToolRow> rows = rows_of(*now, nullptr, {});
  if (options.as_json) {
    show_json(*now, rows, terminal);
  } else {
    terminal.out(heading(*now, options.url, terminal) + table(rows, terminal));
  }
  return kOk;
}

// A gateway that is gone for a moment, to be started anew, is waited for.
int show_live(Watcher& watcher, const TopOptions& options, Terminal& terminal) {
  std::optional<GatewayFigures> before;
  Clock::time_point looked;
  Keyboard keyboard;
  const auto page = [&](const std::string& text) {
    terminal.out("\033[H\033[J" + text);
    terminal.flush();
  };
  while (terminal.is_open()) {
    Result<GatewayFigures> now = watcher.look();
    const Clock::time_point time = Clock::now();
    if (!now && !before) return report(now.error(), terminal);
    if (now) {
      const std::vector<ToolRow> rows = rows_of(*now, before ? &*before : nullptr, time - looked);
      if (options.as_json) {
        show_json(*now, rows, terminal);
      } else {
        page(heading(*now, options.url, terminal) + table(rows, terminal) +
             terminal.styled("\nq quits\n", Style::dim));
      }
      before = std::move(*now);
      looked = time;
    } else if (!options.as_json) {
      page(fmt::format("{}: {}\n\nq quits\n", printable(options.url),
                       printable(now.error().message)));
    }
    if (keyboard.wait_for_quit(std::chrono::seconds(options.interval))) break;
  }
  return kOk;
}

int run_top(const TopOptions& options, Terminal& terminal) {
  Result<net::Url> url = metrics_url(options.url);
  if (!url) {
    terminal.report(url.error());
    return kBadUsage;
  }
  Watcher watcher(std::move(*url));
  const bool live = !options.once && (options.as_json || isatty(STDOUT_FILENO) == 1);
  return live ? show_live(watcher, options, terminal) : show_once(watcher, options, terminal);
}

void accept_top(Arguments& arguments, TopOptions& options) {
  arguments.text("--url", "URL", options.url, "Of the gateway: the address that clients have");
  arguments.flag("--once", options.once, "Print one table and end");
  arguments.number("--interval", options.interval, {"a number of seconds", 1, 3600},
                   "Seconds between two looks");
  arguments.flag("--json", options.as_json,
                 "One JSON object for each look; with --once a single one");
  arguments.footer(
      "Shows a gateway (enfold serve) tool by tool, the most called first: calls and calls a\n"
      "second, good and failed ones, the time within which half and 99 of 100 of them were\n"
      "answered, what their answers cost in tokens as the upstream gave them and as they were\n"
      "shown, how many were whole and how many were cut, and what of them was archived. Rates and\n"
      "times are of the last look, all else since the gateway started. q ends it; without a\n"
      "terminal one table is printed. The figures are those of /metrics, which a gateway serves\n"
      "on loopback, and elsewhere with --observe or [observe] metrics = true.\n\n"
      "Examples:\n"
      "  enfold top\n"
      "  enfold top --url http://127.0.0.1:9000/mcp --interval 5\n"
      "  enfold top --once --json | jq '.tools[] | {tool, calls, tokens_before, tokens_after}'");
}

}  // namespace

Run set_up_top(Arguments& arguments) { return set_up(arguments, accept_top, run_top); }

}  // namespace enfold::cli
