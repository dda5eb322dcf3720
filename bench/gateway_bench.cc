// SPDX-License-Identifier: Apache-2.0
// Enfold's gateway in front of one server, next to that server without a gateway, to gateways from
// npm and to nginx as a reverse proxy. Turns alternate; ratios are medians of the ratios inside a
// round.
//   gateway_bench [--quick] [--baseline PROGRAM] [--record FOLDER]
#include "bench/contestant.h"
#include "bench/gateways.h"
#include "bench/mcp_requests.h"
#include "bench/stdio_load.h"
#include "bench/verdicts.h"
#include "enfold/base/hash.h"
#include "enfold/json/document.h"
#include "enfold/token/tokenizer.h"

#include <algorithm>
#include <array>

namespace enfold::bench {
namespace {

constexpr std::array<std::size_t, 3> kInFlight{1, 8, 32};
const std::string kArguments = R"({"text":"The quick brown fox jumps over the lazy dog."})";

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

struct Turn {
  double per_second = 0;
  double p50 = 0;  ///< µs
};

/// One way to the tool, and what it did with 1, 8 and 32 calls under way.
struct Contestant {
  std::string name;
  Kind kind;
  std::function<LoadResult(std::size_t in_flight, double seconds)> load;
  std::array<std::vector<Turn>, kInFlight.size()> turns{};

  [[nodiscard]] double speed(std::size_t i) const {
    std::vector<double> values;
    for (const Turn& turn : turns[i]) values.push_back(turn.per_second);
    return median(std::move(values));
  }
  [[nodiscard]] double p50(std::size_t i) const {
    std::vector<double> values;
    for (const Turn& turn : turns[i]) values.push_back(turn.p50);
    return median(std::move(values));
  }
};

double speed_ratio(const Contestant& one, const Contestant& other, std::size_t i) {
  std::vector<double> values;
  for (std::size_t round = 0; round < one.turns[i].size(); ++round) {
    values.push_back(one.turns[i][round].per_second / other.turns[i][round].per_second);
  }
  return median(std::move(values));
}

LoadResult load_web(const Web& web, std::size_t in_flight, double seconds) {
  std::vector<std::string> requests;
  for (std::size_t id = 1; id <= in_flight; ++id) {
    requests.push_back(session_call(web.server->port(), web.session, id, web.tool, kArguments));
  }
  return Load(web.server->port(), requests).run(seconds);
}

/// CPU seconds of parsing, hashing and counting a text once.
double cost_of_reading(const std::string& text) {
  json::Buffer input{std::string_view(text)};
  const double begin = thread_seconds();
  const auto document = json::parse(std::move(input));
  volatile auto digest = sha256(text)[0];
  volatile auto tokens = token::o200k_base().count(text);
  static_cast<void>(digest);
  static_cast<void>(tokens);
  if (!document) std::exit(1);
  return thread_seconds() - begin;
}

class Bench {
 public:
  Bench(bool quick, std::string baseline) : quick_(quick), baseline_(std::move(baseline)) {}

  std::string run() {
    double load_before = 0;
    static_cast<void>(getloadavg(&load_before, 1));
    two_processors_ = stay_on_load_processor();
    text_ += fmt::format("## Gateway\n\nThe load average at the start was {:.1f}.\n", load_before);
    measure_echo();
    if (!baseline_.empty()) measure_baseline();
    measure_large();
    measure_start();
    text_ += verdicts_.to_markdown();
    return text_;
  }

 private:
  // --- small answers ---------------------------------------------------------------------------

  void measure_echo() {
    const Gateways gateways;
    for (const Pipes& pipes : gateways.on_pipes()) {
      add(pipes.name, pipes.kind, [load = pipes.load](std::size_t in_flight, double seconds) {
        return load->run(in_flight, seconds, "echo", kArguments);
      });
    }
    for (const Web& web : gateways.on_the_web()) {
      add(web.name, web.kind, [&web](std::size_t in_flight, double seconds) {
        return load_web(web, in_flight, seconds);
      });
    }
    for (int round = 0; round < (quick_ ? 3 : 7); ++round) {
      for (Contestant& one : contestants_) take_turns(one);
    }
    report_echo();
    for (const std::string& absent : gateways.absent()) {
      text_ += fmt::format("\n{} does not start: tools/setup bench\n", absent);
    }
  }

  void add(const std::string& name, Kind kind, decltype(Contestant::load) load) {
    contestants_.push_back({name, kind, std::move(load)});
  }

  void take_turns(Contestant& one) const {
    const double seconds = quick_ ? 0.2 : 0.6;
    for (std::size_t i = 0; i < kInFlight.size(); ++i) {
      static_cast<void>(one.load(kInFlight[i], seconds / 5));
      LoadResult result = one.load(kInFlight[i], seconds);
      if (result.first_body.find("quick brown fox") == std::string::npos) {
        fmt::print(stderr, "error: {} answered: {}\n", one.name, result.first_body);
        std::exit(1);
      }
      one.turns[i].push_back({result.per_second(), result.quantile(0.5)});
    }
  }

  void report_echo() {
    text_ += fmt::format(
        "\n`echo` through a gateway, the server behind it and the gateway on {}. Answers/s with 1, "
        "8 and 32 calls under way, and the median wait of a call in µs with one.\n\n"
        "| way | 1 | 8 | 32 | p50 µs |\n|---|---:|---:|---:|---:|\n",
        two_processors_ ? "one processor, the load on another" : "the processor of the load");
    for (const Contestant& one : contestants_) {
      text_ += fmt::format("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", one.name, one.speed(0),
                           one.speed(1), one.speed(2), one.p50(0));
    }
    const Contestant& direct = *find("direct, stdio");
    const Contestant& wrap = *find("enfold wrap");
    const Contestant& serve = *find("enfold serve");
    const Contestant* nginx = find("nginx");
    for (std::size_t i = 0; i < kInFlight.size(); ++i) {
      const std::string what = fmt::format("{} under way, serve: throughput ÷ ", kInFlight[i]);
      const Contestant* best = nullptr;
      for (const Contestant& one : contestants_) {
        if (one.kind != Kind::npm) continue;
        if (best == nullptr || one.speed(i) > best->speed(i)) best = &one;
      }
      if (best != nullptr) {
        verdicts_.at_least(what + "the best of npm", i == 0 ? 10 : 15,
                           speed_ratio(serve, *best, i));
      }
      if (nginx != nullptr) {
        verdicts_.at_least(what + "nginx proxy_pass", i == 0 ? 1 : 1.2,
                           speed_ratio(serve, *nginx, i));
      }
    }
    double least = 0;
    for (const Contestant& one : contestants_) {
      const double added = one.p50(0) - direct.p50(0);
      if (one.kind == Kind::npm && (least == 0 || added < least)) least = added;
    }
    if (least > 0) {
      verdicts_.at_most("p50 added to direct stdio, wrap ÷ the best of npm", 0.1,
                        (wrap.p50(0) - direct.p50(0)) / least);
    }
  }

  [[nodiscard]] const Contestant* find(std::string_view name) const {
    for (const Contestant& one : contestants_) {
      if (one.name.starts_with(name)) return &one;
    }
    return nullptr;
  }

  // --- another program -------------------------------------------------------------------------

  /// What one answer costs the process of a gateway.
  struct Cost {
    std::function<LoadResult(std::size_t in_flight, double seconds)> load;
    const Child* process;
    std::array<std::vector<double>, kInFlight.size()> microseconds{};

    void measure(std::size_t i, double seconds) {
      const double before = process->cpu_time();
      const LoadResult result = load(kInFlight[i], seconds);
      microseconds[i].push_back((process->cpu_time() - before) * 1e6 /
                                static_cast<double>(result.answers));
    }
  };

  static Cost cost_of_wrap(const std::shared_ptr<StdioLoad>& wrap) {
    return {[wrap](std::size_t in_flight, double seconds) {
              return wrap->run(in_flight, seconds, "echo", kArguments);
            },
            &wrap->process()};
  }
  static Cost cost_of_serve(const Folder& folder, const std::string& program) {
    std::optional<WebProcess> started = start_serve(folder, program);
    if (!started) give_up(program + " serve does not start");
    const auto web = std::make_shared<Web>(connect_to(program, Kind::enfold, std::move(*started)));
    return {
        [web](std::size_t in_flight, double seconds) { return load_web(*web, in_flight, seconds); },
        &web->server->process()};
  }

  // Both programs take turns, so that what else the machine does hits both.
  void measure_baseline() {
    const Folder before_folder;
    const Folder after_folder;
    text_ +=
        "\n### Against another program\n\nCPU µs of the gateway's process for one answer to "
        "`echo`, medians of five turns that alternate with the program that --baseline names.\n\n"
        "| way | under way | before | now | ratio |\n|---|---:|---:|---:|---:|\n";
    compare("wrap",
            cost_of_wrap(std::make_shared<StdioLoad>(wrap_command(before_folder, {}, baseline_))),
            cost_of_wrap(std::make_shared<StdioLoad>(wrap_command(after_folder))));
    compare("serve", cost_of_serve(before_folder, baseline_),
            cost_of_serve(after_folder, enfold_program()));
  }

  void compare(const std::string& name, Cost before, Cost now) {
    const double seconds = quick_ ? 0.2 : 0.6;
    for (std::size_t i = 0; i < kInFlight.size(); ++i) {
      for (Cost* one : {&before, &now}) static_cast<void>(one->load(kInFlight[i], seconds / 5));
      for (int turn = 0; turn < 5; ++turn) {
        before.measure(i, seconds);
        now.measure(i, seconds);
      }
      std::vector<double> ratios;
      for (std::size_t turn = 0; turn < now.microseconds[i].size(); ++turn) {
        ratios.push_back(now.microseconds[i][turn] / before.microseconds[i][turn]);
      }
      const double ratio = median(std::move(ratios));
      text_ += fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.2f} |\n", name, kInFlight[i],
                           median(before.microseconds[i]), median(now.microseconds[i]), ratio);
      verdicts_.at_most(fmt::format("{} under way, {}: CPU ÷ before", kInFlight[i], name), 1,
                        ratio);
    }
  }

  // --- large answers ---------------------------------------------------------------------------

  void measure_large() {
    text_ +=
        "\n### Large answers\n\nFitted to 4,000 tokens and archived, every one another. CPU of the "
        "gateway's process for one, against parsing, SHA-256 and one token count of the same "
        "bytes.\n\n| answer | CPU ms | reading ms | ratio |\n|---|---:|---:|---:|\n";
    struct Size {
      const char* name;
      int records;
      int calls;
      double most;  ///< CPU ÷ reading
    };
    for (const Size& size : {Size{"40 KB", 250, 200, 4}, Size{"1 MB", 6'250, 20, 2.5}}) {
      const Folder folder;
      StdioLoad direct({upstream_program()});
      StdioLoad wrap(wrap_command(folder, {"--budget", "4000"}));
      double reading = 0;
      double spent = 0;
      const int calls = quick_ ? size.calls / 4 : size.calls;
      // The first ones warm both up: files, threads and tables are there after them.
      for (int seed = -3; seed < calls; ++seed) {
        const std::string arguments =
            fmt::format(R"({{"count":{},"seed":{}}})", size.records, seed + 10);
        const double read = cost_of_reading(direct.exchange("records", arguments));
        const double before = wrap.process().cpu_time();
        const std::string answer = wrap.exchange("records", arguments);
        const double used = wrap.process().cpu_time() - before;
        if (answer.find("content_archive_hashes") == std::string::npos) {
          fmt::print(stderr, "error: expected a fitted answer, found: {}\n", answer.substr(0, 800));
          std::exit(1);
        }
        if (seed < 0) continue;
        reading += read;
        spent += used;
      }
      text_ += fmt::format("| {} | {:.3f} | {:.3f} | {:.2f} |\n", size.name, spent / calls * 1e3,
                           reading / calls * 1e3, spent / reading);
      verdicts_.at_most(fmt::format("{} fitted and archived: CPU ÷ reading", size.name), size.most,
                        spent / reading);
    }
  }

  // --- start -----------------------------------------------------------------------------------

  void measure_start() {
    std::vector<double> direct;
    std::vector<double> added;
    const Folder folder;
    static_cast<void>(StdioLoad(wrap_command(folder)).greeting());  // the first makes the archive
    for (int round = 0; round < (quick_ ? 7 : 25); ++round) {
      direct.push_back(StdioLoad({upstream_program()}).greeting() * 1e3);
      added.push_back(StdioLoad(wrap_command(folder)).greeting() * 1e3 - direct.back());
    }
    text_ += fmt::format(
        "\n### Start\n\nFrom the start of the program to its answer to initialize: {:.1f} ms; "
        "`wrap` adds {:.1f} ms.\n",
        median(direct), median(added));
    verdicts_.at_most("start, ms added by wrap", 10, median(added));
  }

  bool quick_;
  std::string baseline_;
  bool two_processors_ = false;
  std::vector<Contestant> contestants_;
  std::string text_;
  Verdicts verdicts_;
};

int run(const std::vector<std::string>& words) {
  bool quick = false;
  std::string baseline;
  std::string folder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--quick") {
      quick = true;
    } else if (words[i] == "--record" && i + 1 < words.size()) {
      folder = words[++i];
    } else if (words[i] == "--baseline" && i + 1 < words.size()) {
      baseline = words[++i];
    } else {
      fmt::print(stderr, "usage: gateway_bench [--quick] [--baseline PROGRAM] [--record FOLDER]\n");
      return 5;
    }
  }
  const std::string text = Bench(quick, baseline).run();
  fmt::print("{}", text);
  if (!folder.empty()) record(folder, "gateway", "The gateway", text);
  return 0;
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  return enfold::bench::run(std::vector<std::string>(argv + 1, argv + argc));
}
