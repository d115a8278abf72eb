// The examinations of `mindspeed doctor`. None of them changes anything or throws for what it finds.
#pragma once

#include <map>
#include <string>

#include "front/base/file.h"
#include "front/doctor/finding.h"

namespace mindspeed {

// Processor, bf16 route, cores and threads, memory, open files.
Findings examine_machine(const std::map<std::string, std::string>& environment);
// The engine with its libtorch, the Parquet plug-in, drivers of devices.
Findings examine_libraries();
// Free space of the file system that holds `folder`, which need not exist yet.
Findings examine_disk(const fs::path& folder);
// Name of this host, interfaces, and whether `port` is free to listen on.
Findings examine_network(int port);
// A folder of checkpoints: pointer, complete and unfinished saves, sizes, who holds it; `deep` reads every
// byte and compares the checksums.
Findings examine_run(const fs::path& folder, bool deep);
// A Hugging Face folder: config.json, tokenizer, index against shards; `deep` looks at every value.
Findings examine_weights(const fs::path& folder, bool deep);

// The two ends of a way between machines. One listens, the other connects, and the first then connects back,
// so that a firewall in either direction is found. Each waits at most `seconds`.
Findings listen_for_peer(int port, int seconds);
Findings reach_peer(const std::string& host, int port, int seconds);

}  // namespace mindspeed
