// Records proven cells: one line of {"family","check","pass"} per call, gathered into build/proof.json.
#pragma once

#include <string>
#include <string_view>

namespace mindspeed::test {

// Appends a cell to the proof file of this test program. `check` begins with the layout or subject
// (parity.logits, roundtrip.hf, ladder.tp2, resume ...). Returns `pass`, so that it can be wrapped in EXPECT_TRUE.
bool prove(std::string_view family, std::string_view check, bool pass);

// Folder of the checkout, and of the golden data in it.
std::string source_dir();
std::string golden_dir();

// A fresh empty folder under the system's temporary folder, removed when the program ends.
std::string temporary_dir(std::string_view name);

}  // namespace mindspeed::test
