# Compiler cache, warnings and sanitizers: the settings that hold for every target.
find_program(CCACHE ccache)
if(CCACHE)
  # The PCH is part of the hash; these are the settings that ccache's manual names for it.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
endif()

add_compile_options(-Wall -Wextra -Werror -Wno-psabi -fno-math-errno -fvisibility-inlines-hidden)
if(MINDSPEED_SANITIZE)
  string(REPLACE ";" "," sanitizers "${MINDSPEED_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()
if(MINDSPEED_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined)
endif()
find_package(Threads REQUIRED)
