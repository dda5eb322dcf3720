// SPDX-License-Identifier: Apache-2.0
// What it costs to make response-v2 out of a raw MCP result, next to memcpy of the same bytes and
// to the same job in other libraries. Every contestant reads the same bytes, checks all of them
// and produces the same JSON.
//   shaping_bench [--json] [--quick] [--record FOLDER]
#include "bench/corpus.h"
#include "bench/enfold_job.h"
#include "bench/folder.h"
#include "bench/heap.h"
#include "bench/node.h"
#include "bench/report.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace enfold::bench {
namespace {

struct Options {
  bool json = false;
  bool quick = false;
  std::string record;  ///< folder for shaping.md and shaping.json; empty: none
};

struct Size {
  std::string name;
  std::size_t bytes;
};
const std::vector<Size> kSizes{
    {"1 KB", 1'000}, {"20 KB", 20'000}, {"1 MB", 1'000'000}, {"50 MB", 50'000'000}};

answer::ShapeSettings in_contract(contract::Id id) {
  answer::ShapeSettings settings = plain_settings();
  settings.contract = id;
  return settings;
}

answer::ShapeSettings in_both_channels() {
  answer::ShapeSettings settings = plain_settings();
  settings.channels = answer::Channels::both;
  return settings;
}

answer::ShapeSettings redacting() {
  answer::ShapeSettings settings = plain_settings();
  settings.redaction = redact::Policy{};
  return settings;
}

class Bench {
 public:
  Bench(const Options& options, const std::string& program)
      : options_(options), program_(program), node_(folder_.path()) {
    if (!node_.running()) note("Node is not installed (tools/setup peers): its rows are missing");
  }

  int run_all() {
    for (const Size& size : kSizes) {
      if (options_.quick && size.bytes > 1'000'000) continue;
      run_size(size);
    }
    if (!options_.quick) weigh_processes();
    judge();
    print(to_markdown(report_.targets));
    if (options_.json) fmt::print("{}", to_json(report_));
    if (!options_.record.empty()) record();
    return 0;
  }

 private:
  void print(const std::string& text) {
    text_ += text;
    if (options_.json) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  }

  void note(const std::string& text) {
    report_.notes.push_back(text);
    print(fmt::format("note: {}\n", text));
  }

  [[nodiscard]] std::string file_of(Corpus corpus, std::string_view message) const {
    const std::string file = fmt::format("{}/{}.json", folder_.path(), name(corpus));
    std::ofstream(file, std::ios::binary) << message;
    return file;
  }

  void race(std::string title, const Size& size, std::size_t bytes,
            const std::vector<Contestant>& contestants) {
    const bool large = size.bytes > 10'000'000;
    const Pace pace{.rounds = large ? 5U : 21U, .seconds_each = large ? 0.05 : 0.016};
    Race done{std::move(title), size.name, bytes, run(contestants, pace)};
    print(to_markdown(done));
    report_.races.push_back(std::move(done));
  }

  // The same job for everyone. Enfold comes second, so that its output is what others must match.
  void race_libraries(std::string title, const Size& size, Corpus corpus, Job job) {
    const std::string message = make_message(corpus, size.bytes);
    std::vector<Contestant> contestants{copying(message)};
    if (job == Job::parse) {
      contestants.push_back(owning("Enfold", parsing(), message));
    } else {
      const auto output = [&] { return shaped_text(message, plain_settings()); };
      contestants.push_back(owning("Enfold", shaping(plain_settings()), message, output));
      contestants.push_back(owning("Enfold, output in one piece",
                                   shaping(plain_settings(), Bytes::contiguous), message));
      contestants.push_back(owning("Enfold, input copied as well",
                                   shaping(plain_settings(), Bytes::copied), message));
    }
    contestants.push_back(tree("Boost.JSON", with_boost_json, job, message));
    contestants.push_back(tree("RapidJSON", with_rapid_json, job, message));
    contestants.push_back(tree("nlohmann", with_nlohmann, job, message));
    if (node_.running()) contestants.push_back(node_.contestant(job, file_of(corpus, message)));
    for (const std::string& difference : check_agreement(contestants)) {
      note(fmt::format("{}, {}: {}", title, size.name, difference));
    }
    race(std::move(title), size, message.size(), contestants);
  }

  // What Enfold alone is asked for, next to its plain job on a message of the same size.
  void race_settings(const Size& size) {
    const std::string plain = make_message(Corpus::structured, size.bytes);
    const std::string both = make_message(Corpus::both, size.bytes);
    const std::string secrets = make_message(Corpus::secrets, size.bytes);
    using contract::Id;
    const std::vector<Contestant> contestants{
        owning("Enfold", shaping(plain_settings()), plain),
        owning("both channels in and out", shaping(in_both_channels()), both),
        owning("structured in, both channels out", shaping(in_both_channels()), plain),
        owning("redaction on, nothing to hide", shaping(redacting()), plain),
        owning("redaction on, a secret each 10 KB", shaping(redacting()), secrets),
        owning("response-v1", shaping(in_contract(Id::response_v1)), plain),
        owning("generic", shaping(in_contract(Id::generic)), plain),
        owning("scalpel-v1", shaping(in_contract(Id::scalpel_v1)), plain),
        owning("memory", shaping(in_contract(Id::memory)), plain),
        owning("none (passed through)", passing_through(), plain),
    };
    race("What else Enfold may do", size, plain.size(), contestants);
  }

  void run_size(const Size& size) {
    race_libraries("Structured content only", size, Corpus::structured, Job::shape);
    race_libraries("JSON in text", size, Corpus::text, Job::shape_text);
    race_libraries("Parse only", size, Corpus::structured, Job::parse);
    race_settings(size);
  }

  void weigh_processes() {
    const std::string plain = make_message(Corpus::structured, kSizes.back().bytes);
    const std::string both = make_message(Corpus::both, kSizes.back().bytes);
    const std::string plain_file = file_of(Corpus::structured, plain);
    const std::string both_file = file_of(Corpus::both, both);
    const auto weigh = [&](const std::string& row, const std::string& file, std::size_t input) {
      FILE* pipe = popen(fmt::format("'{}' --weigh '{}' '{}'", program_, row, file).c_str(), "r");
      unsigned long long growth = 0;
      const bool read = pipe != nullptr && std::fscanf(pipe, "%llu", &growth) == 1;
      if (pipe == nullptr || pclose(pipe) != 0 || !read) {
        fmt::print(stderr, "error: {} could not be weighed\n", row);
        std::exit(1);
      }
      report_.resident.push_back({row, growth, input});
    };
    for (const char* row :
         {"Enfold", "Enfold, output in one piece", "Boost.JSON", "RapidJSON", "nlohmann"}) {
      weigh(row, plain_file, plain.size());
    }
    if (const auto growth = node_.peak_resident(Job::shape, plain_file)) {
      report_.resident.push_back({"Node JSON", *growth, plain.size()});
    }
    weigh("both channels in and out", both_file, both.size());
    print(to_markdown(report_.resident));
  }

  void expect(std::string what, bool at_least, double limit, double measured) {
    report_.targets.push_back({std::move(what), limit, at_least, measured});
  }

  void judge() {
    for (const Race& race : report_.races) {
      const bool judged = race.size != "1 KB";
      const auto heap = [&](const std::string& row) {
        return static_cast<double>(*race.row(row).heap) / static_cast<double>(race.bytes);
      };
      if (race.title == "Structured content only" && judged) {
        const bool timed = race.size != "50 MB";
        if (timed) {
          expect(race.size + ": faster than Boost.JSON", true, 5,
                 race.ratio("Boost.JSON", "Enfold"));
          expect(race.size + ": faster than nlohmann", true, 30, race.ratio("nlohmann", "Enfold"));
        }
        expect(race.size + ": heap beyond the input", false, 0.7, heap("Enfold"));
      } else if (race.title == "What else Enfold may do" && judged) {
        const std::string row = "both channels in and out";
        expect(race.size + ": both channels, time of structured only", false, 2.5,
               race.ratio(row, "Enfold"));
        expect(race.size + ": both channels, heap beyond the input", false, 2.5, heap(row));
      }
    }
    for (const Resident& one : report_.resident) {
      const double growth = static_cast<double>(one.growth) / static_cast<double>(one.input);
      if (one.name == "Enfold") expect("50 MB: resident beyond the input", false, 0.7, growth);
      if (one.name == "both channels in and out") {
        expect("50 MB: both channels, resident beyond the input", false, 2.5, growth);
      }
    }
  }

  void record() {
    std::filesystem::create_directories(options_.record);
    const std::time_t now = std::time(nullptr);
    char date[16] = {};
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::ofstream(options_.record + "/shaping.json") << to_json(report_);
    std::ofstream(options_.record + "/shaping.md") << fmt::format(
        "# Shaping: raw MCP result → response-v2\n\n"
        "{}, 2 cores, x86-64 with AVX-512, shared; g++ 12, -O2; Boost.JSON 1.81, RapidJSON 1.1.0, "
        "nlohmann 3.11.2,\nNode {}. Made by `tools/bench --record docs/measurements`; read "
        "[bench/README.md](../../bench/README.md) for what is measured.\n{}{}",
        date, node_.version(), to_markdown(report_.targets), text_);
  }

  Options options_;
  std::string program_;
  Folder folder_;
  Node node_;
  Report report_;
  std::string text_;
};

// In a process of its own: `row` once over the message in `file`; prints the growth in bytes.
int weigh(const std::string& row, const std::string& file) {
  json::Buffer input;
  const std::size_t size = std::filesystem::file_size(file);
  std::ifstream(file, std::ios::binary)
      .read(input.prepare(size), static_cast<std::streamsize>(size));
  input.commit(size);
  const auto work = [&] {
    if (row == "Enfold") {
      shaping(plain_settings())(std::move(input));
    } else if (row == "Enfold, output in one piece") {
      shaping(plain_settings(), Bytes::contiguous)(std::move(input));
    } else if (row == "both channels in and out") {
      shaping(in_both_channels())(std::move(input));
    } else {
      const TreeJob job = row == "Boost.JSON"  ? with_boost_json
                          : row == "RapidJSON" ? with_rapid_json
                                               : with_nlohmann;
      job(Job::shape, input.view(), nullptr);
    }
  };
  fmt::print("{}\n", peak_resident(work));
  return 0;
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "--weigh") {
    return enfold::bench::weigh(arguments[1], arguments[2]);
  }
  enfold::bench::Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json") {
      options.json = true;
    } else if (arguments[i] == "--quick") {
      options.quick = true;
    } else if (arguments[i] == "--record" && i + 1 < arguments.size()) {
      options.record = arguments[++i];
    } else {
      fmt::print(stderr, "usage: shaping_bench [--json] [--quick] [--record FOLDER]\n");
      return 5;
    }
  }
  return enfold::bench::Bench(options, std::filesystem::read_symlink("/proc/self/exe")).run_all();
}
