# Compiler cache, linker, warnings and sanitizers: the settings that hold for every target.
find_program(CCACHE ccache)
if(CCACHE)
  # The PCH is part of the hash; these are the settings that ccache's manual names for it.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Werror -Wno-psabi -fno-math-errno -fvisibility-inlines-hidden)
if(MINDSPEED_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
find_package(Threads REQUIRED)
