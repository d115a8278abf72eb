# `cmake --install build/release --prefix FOLDER`: FOLDER/bin/mindspeed and FOLDER/lib/mindspeed with every library that it
# needs (libtorch, its two CUDA stubs, Arrow, fmt, ...) except those that every glibc system has. The folder runs wherever
# it is moved; `pip install .` puts the same two folders into the environment (pyproject.toml).
set(installed mindspeed mindspeed_front)
foreach(target mindspeed_engine mindspeed_parquet)
  if(TARGET ${target})
    list(APPEND installed ${target})
  endif()
endforeach()
set_target_properties(${installed} PROPERTIES INSTALL_RPATH "\$ORIGIN")
set_target_properties(mindspeed PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib/mindspeed")
# As DT_RPATH, which holds for the libraries of our libraries too (those of libcurl).
target_link_options(mindspeed PRIVATE -Wl,--disable-new-dtags)
install(TARGETS ${installed} RUNTIME_DEPENDENCY_SET mindspeed_needs
        RUNTIME DESTINATION bin LIBRARY DESTINATION lib/mindspeed)
install(RUNTIME_DEPENDENCY_SET mindspeed_needs DESTINATION lib/mindspeed
        DIRECTORIES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
        PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|util|pthread|resolv)\\.so" "^lib(stdc\\+\\+|gcc_s)\\.so" "^libmindspeed_")
