// SPDX-License-Identifier: Apache-2.0
#include "bench/node.h"

#include <array>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace enfold::bench {
namespace {

constexpr const char* kNode = ENFOLD_SOURCE_DIR "/tests/peers/node_modules/.bin/node";
constexpr const char* kScript = ENFOLD_SOURCE_DIR "/bench/node_json.mjs";

std::string name(Job job) {
  constexpr std::array<const char*, 3> names{"shape", "shape_text", "parse"};
  return names[static_cast<std::size_t>(job)];
}

std::string read_line(FILE* from) {
  std::string line;
  for (int c = std::fgetc(from); c != EOF && c != '\n'; c = std::fgetc(from)) {
    line += static_cast<char>(c);
  }
  return line;
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  const std::string line = read_line(pipe);
  return pclose(pipe) == 0 ? line : std::string();
}

}  // namespace

Node::Node(std::string folder) : folder_(std::move(folder)) {
  int down[2];
  int up[2];
  if (access(kNode, X_OK) != 0 || pipe(down) != 0 || pipe(up) != 0) return;
  child_ = fork();
  if (child_ == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    for (const int end : {down[0], down[1], up[0], up[1]}) close(end);
    execl(kNode, "node", kScript, nullptr);
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  to_ = fdopen(down[1], "w");
  from_ = fdopen(up[0], "r");
}

Node::~Node() {
  if (to_ != nullptr) std::fclose(to_);  // the end of its input ends it
  if (from_ != nullptr) std::fclose(from_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

std::string Node::ask(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  std::string answer = read_line(from_);
  if (!answer.empty()) return answer;
  fmt::print(stderr, "error: node gave no answer to: {}\n", line);
  std::exit(1);
}

std::string Node::version() { return output_of(fmt::format("{} --version", kNode)); }

Contestant Node::contestant(Job job, const std::string& file) {
  ask(fmt::format("load {} {}", file, name(job)));
  const auto seconds_each = [this](std::size_t times) {
    return std::strtod(ask(fmt::format("time {}", times)).c_str(), nullptr);
  };
  const auto output = [this] {
    const std::string made = folder_ + "/node-output.json";
    ask("output " + made);
    std::ifstream in(made, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  return {.name = "Node JSON",
          .seconds_each = seconds_each,
          .output = job == Job::parse ? std::function<std::string()>() : output};
}

std::optional<std::size_t> Node::peak_resident(Job job, const std::string& file) const {
  if (!running()) return std::nullopt;
  const std::string line =
      output_of(fmt::format("{} {} peak {} {}", kNode, kScript, file, name(job)));
  if (line.empty()) return std::nullopt;
  return std::strtoull(line.c_str(), nullptr, 10);
}

}  // namespace enfold::bench
