# Every folder under src/ is one object library; the front half is linked into one shared library, the engine
# into another. What a folder may include stands in docs/architecture.md and is checked by tests/lint.

# The settings of every file of the front half, and the headers that it precompiles once.
add_library(mindspeed_front_base INTERFACE)
target_include_directories(mindspeed_front_base INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(mindspeed_front_base INTERFACE fmt spdlog yaml-cpp crypto Threads::Threads)
target_compile_definitions(mindspeed_front_base INTERFACE SPDLOG_FMT_EXTERNAL SPDLOG_SHARED_LIB SPDLOG_COMPILED_LIB)
add_library(mindspeed_front_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_link_libraries(mindspeed_front_pch PUBLIC mindspeed_front_base)
target_precompile_headers(mindspeed_front_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch_front.h)

# MINDSPEED_UNITY compiles the files of a folder six at a time (a build from nothing takes half the time). Names in
# unnamed namespaces must therefore differ within a folder; where all files define the same ones by design (one family,
# one feature per file) the folder says SEPARATE. The debug, asan and tidy presets compile every file alone.
function(ms_unity target separate)
  if(MINDSPEED_UNITY AND NOT separate)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()

# ms_front(name SOURCES a.cpp ... [LIBS fmt ...] [SEPARATE]): folder src/front/<name>, part of libmindspeed_front.so.
function(ms_front name)
  cmake_parse_arguments(ARG "SEPARATE" "" "SOURCES;LIBS" ${ARGN})
  add_library(ms_${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(ms_${name} PUBLIC mindspeed_front_base ${ARG_LIBS})
  target_precompile_headers(ms_${name} REUSE_FROM mindspeed_front_pch)
  ms_unity(ms_${name} ${ARG_SEPARATE})
  set_property(GLOBAL APPEND PROPERTY MS_FRONT_LIBS ms_${name})
endfunction()

# ms_engine(name SOURCES ...): folder src/engine/<name>, part of libmindspeed_engine.so.
function(ms_engine name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(ms_engine_${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(ms_engine_${name} PUBLIC mindspeed_torch ${ARG_LIBS})
  target_precompile_headers(ms_engine_${name} REUSE_FROM mindspeed_pch)
  ms_unity(ms_engine_${name} FALSE)
  set_property(GLOBAL APPEND PROPERTY MS_ENGINE_LIBS ms_engine_${name})
endfunction()

# ms_test(name CASES n SOURCES ... [FOLDERS base ...] [LIBS ...] [ENGINE] [LONG]): one gtest program, run as one
# ctest entry. It fails if fewer than n cases ran, so a suite can never pass because nothing was executed.
# FOLDERS: link only the objects of these folders (engine folders as engine_NAME), so that it builds while others are
# broken; else the whole front half. ENGINE: uses libtorch; without FOLDERS it links the whole engine.
function(ms_test name)
  cmake_parse_arguments(ARG "ENGINE;LONG" "CASES" "SOURCES;LIBS;FOLDERS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ms_test_main ${ARG_LIBS})
  target_compile_definitions(${name} PRIVATE MINDSPEED_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             MINDSPEED_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(ARG_ENGINE)
    # The precompiled header was made with -fPIC; an executable's default -fPIE would not fit it.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM mindspeed_pch)
    target_link_libraries(${name} PRIVATE mindspeed_torch)
  endif()
  if(ARG_ENGINE AND NOT ARG_FOLDERS)
    target_link_libraries(${name} PRIVATE mindspeed_engine mindspeed_front)
  elseif(ARG_FOLDERS)
    list(TRANSFORM ARG_FOLDERS PREPEND ms_)
    target_link_libraries(${name} PRIVATE ${ARG_FOLDERS})
  else()
    target_link_libraries(${name} PRIVATE mindspeed_front)
  endif()
  if(ARG_LONG)
    set(labels long)
  else()
    set(labels short)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${labels} TIMEOUT 1200
                       ENVIRONMENT "MINDSPEED_MIN_CASES=${ARG_CASES};MINDSPEED_PROOF_DIR=${CMAKE_BINARY_DIR}/proof")
endfunction()
