#include "front/base/machine.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <tuple>

#include "front/base/error.h"
#include "front/base/plugin.h"
#include "front/base/text.h"
#include "front/doctor/checks.h"

namespace mindspeed {
namespace {

Finding memory_finding() {
  const uint64_t all = machine_memory();
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t free = static_cast<uint64_t>(::sysconf(_SC_AVPHYS_PAGES)) * page;
  Finding f{Health::ok, "memory",
            fmt::format("{} for this process, {} untouched", human_bytes(all), human_bytes(free)), ""};
  if (all < (uint64_t{2} << 30)) {
    f.health = Health::warn;
    f.remedy = "models above about 50 million parameters will not train; see the forecast of --dry-run";
  }
  return f;
}

Finding threads_finding(const std::map<std::string, std::string>& environment) {
  const int cores = processor().cores;
  const auto set = environment.find("OMP_NUM_THREADS");
  Finding f{Health::ok, "threads", fmt::format("{} cores", cores), ""};
  if (set == environment.end()) return f;
  f.value += fmt::format(", OMP_NUM_THREADS={}", set->second);
  const int threads = std::atoi(set->second.c_str());
  if (threads > cores || threads < 1) {
    f.health = Health::warn;
    f.remedy = fmt::format(
        "more threads than cores slow each other down; set OMP_NUM_THREADS to at most {}, or unset it",
        cores);
  }
  return f;
}

Finding device_finding() {
  const bool nvidia = fs::exists("/dev/nvidiactl"), ascend = fs::exists("/dev/davinci_manager");
  Finding f{Health::ok, "devices", "none; the CPU computes", ""};
  if (!nvidia && !ascend) return f;
  f = {Health::warn, "devices", nvidia ? "an NVIDIA driver is loaded" : "an Ascend driver is loaded",
       "there is no plug-in for it yet: the CPU computes"};
  return f;
}

}  // namespace

Findings examine_machine(const std::map<std::string, std::string>& environment) {
  const Processor& cpu = processor();
  Findings out;
  const bool slow = cpu.isa == "baseline";
  out.push_back({slow ? Health::warn : Health::ok, "processor", cpu.isa,
                 slow ? "it has no AVX2: training runs, but several times slower" : ""});
  out.push_back({Health::ok, "bf16",
                 cpu.bf16_matmul ? "multiplied by the processor" : "stored as bf16, multiplied in fp32", ""});
  out.push_back(threads_finding(environment));
  out.push_back(memory_finding());
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  const bool few = files.rlim_cur < 1024;
  out.push_back({few ? Health::warn : Health::ok, "open files", fmt::format("at most {}", files.rlim_cur),
                 few ? "many shards or ranks need more: ulimit -n 65536" : ""});
  return out;
}

Findings examine_libraries() {
  Findings out;
  for (const auto& [what, file, remedy] :
       {std::tuple{"engine", "libmindspeed_engine.so", "run `make`, which builds it beside the program"},
        std::tuple{"parquet", "libmindspeed_parquet.so",
                   "needed for .parquet only: run scripts/setup.sh and `make`"}}) {
    try {
      const Plugin library(what, file, remedy);
      out.push_back({Health::ok, what, fmt::format("{} opens, with the libraries that it needs", file), ""});
    } catch (const Error& e) {
      out.push_back({std::string(what) == "engine" ? Health::bad : Health::warn, what, e.what(), remedy});
    }
  }
  out.push_back(device_finding());
  return out;
}

Findings examine_disk(const fs::path& folder) {
  fs::path existing = fs::absolute(folder);
  while (!fs::exists(existing) && existing != existing.root_path()) existing = existing.parent_path();
  struct statvfs info {};
  if (::statvfs(existing.c_str(), &info) != 0)
    return {{Health::bad, "disk", fmt::format("{} cannot be looked at", existing.string()),
             "choose another folder"}};
  const uint64_t free = uint64_t{info.f_bavail} * info.f_frsize;
  const bool writable = ::access(existing.c_str(), W_OK) == 0;
  Findings out{{Health::ok, "disk", fmt::format("{} free in {}", human_bytes(free), existing.string()), ""}};
  if (!writable)
    out[0] = {Health::bad, "disk", fmt::format("{} cannot be written", existing.string()),
              "choose another folder, or change its owner"};
  else if (free < (uint64_t{1} << 30))
    out[0] = {
        Health::warn, "disk", out[0].value,
        "a checkpoint takes 12 bytes per parameter (14 with --bf16); delete old ones or pass --keep-last"};
  return out;
}

}  // namespace mindspeed
