# Tests of the command: they run the one of this build.
foreach(name cli cli_signals)
  carom_test(${name})
  target_compile_definitions(test_${name} PRIVATE CAROM_COMMAND="$<TARGET_FILE:carom>" CAROM_VERSION="${PROJECT_VERSION}" _DEFAULT_SOURCE)
  target_link_libraries(test_${name} PRIVATE util)
  add_dependencies(test_${name} carom)
endforeach()
