// Group over a c10d backend (Gloo). Internal to comm/.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/comm/group.h"

namespace c10d {
class Backend;
}

namespace mindspeed {

// `ranks` are global ranks ordered by group rank; several groups over the same ranks may share one backend.
std::shared_ptr<Group> gloo_group(std::string name, std::vector<int> ranks, int group_rank,
                                  c10::intrusive_ptr<c10d::Backend> backend);

}  // namespace mindspeed
