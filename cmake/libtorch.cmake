# libtorch from the pip wheel in .venv: two libraries by path, headers as system headers. TorchConfig.cmake is
# not used because it demands the CUDA toolkit.
file(GLOB MINDSPEED_SITE ${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages)
set(MINDSPEED_TORCH ${MINDSPEED_SITE}/torch CACHE PATH "folder of the torch wheel (has include/ and lib/)")
if(NOT EXISTS ${MINDSPEED_TORCH}/lib/libtorch_cpu.so)
  message(FATAL_ERROR "libtorch not found in ${MINDSPEED_TORCH}: run scripts/setup.sh first")
endif()

add_library(mindspeed_torch INTERFACE)
target_include_directories(mindspeed_torch INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(mindspeed_torch SYSTEM INTERFACE ${MINDSPEED_TORCH}/include
                           ${MINDSPEED_TORCH}/include/torch/csrc/api/include)
# The wheel ships headers of a newer fmt than Debian's library; header-only keeps the two apart (their symbols are versioned).
target_compile_definitions(mindspeed_torch INTERFACE USE_C10D_GLOO FMT_HEADER_ONLY=1 SPDLOG_FMT_EXTERNAL SPDLOG_SHARED_LIB SPDLOG_COMPILED_LIB)
target_compile_options(mindspeed_torch INTERFACE -fopenmp -Wno-unknown-pragmas -Wno-unused-parameter)
file(GLOB MINDSPEED_GOMP ${MINDSPEED_TORCH}/lib/libgomp*.so*)  # torch's own: one OpenMP runtime per process
target_link_libraries(mindspeed_torch INTERFACE ${MINDSPEED_TORCH}/lib/libtorch_cpu.so ${MINDSPEED_TORCH}/lib/libc10.so
                      ${MINDSPEED_GOMP} fmt spdlog Threads::Threads)
target_link_options(mindspeed_torch INTERFACE -Wl,--allow-shlib-undefined)
list(APPEND CMAKE_BUILD_RPATH ${MINDSPEED_TORCH}/lib)  # not for installed programs

add_library(mindspeed_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_link_libraries(mindspeed_pch PUBLIC mindspeed_torch)
target_precompile_headers(mindspeed_pch PRIVATE <ATen/ATen.h> <torch/csrc/autograd/custom_function.h>
                           <fmt/format.h>)
