// Reads launch scripts of bash without running them: variables, quotes, continuations, defaults, arrays,
// arithmetic.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed {

struct ShellCommand {
  int line = 0;  // where it begins, from 1
  std::vector<std::string> words;
};

struct ShellScript {
  std::map<std::string, std::vector<std::string>>
      variables;                       // at the end of the script; arrays have several words
  std::vector<ShellCommand> commands;  // in order; what follows a pipe or goes into a file is left out
};

// Expands what the text itself defines; `given` are variables from outside. Substituted commands ($(date))
// and variables without value stay in the words as they are written: see first_unknown(). Throws Error (exit
// code 2, file:line) for what cannot be followed without running it: conditions, loops, functions,
// here-documents, other ${...} operators, and for quotes or brackets that are never closed.
ShellScript read_shell(std::string_view text, const std::string& file,
                       const std::map<std::string, std::string>& given = {});

// The first $(...), `...` or ${NAME} that is left in a word, else an empty text.
std::string first_unknown(std::string_view word);

// The word as a shell needs it: quoted when it has to be.
std::string shell_quoted(const std::string& word);

}  // namespace mindspeed
