# Compiler cache, linker, warnings and sanitizers: the settings that hold for every target.
find_program(CCACHE ccache)
if(CCACHE)
  # The PCH is part of the hash; these are the settings that ccache's manual names for it.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  # mold 1.10 can begin the read-only-after-relocation segment in a page that nothing is mapped at (a thread-local
  # variable of one byte at the wrong distance from the text is enough): such a program does not start.
  add_link_options(-fuse-ld=mold -Wl,-z,norelro)
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
