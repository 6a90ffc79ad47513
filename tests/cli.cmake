# Tests of the command: they run the one of this build.
foreach(name cli cli_explain cli_groups cli_laws cli_materials cli_rigid cli_shapes cli_signals)
  carom_test(${name})
  target_compile_definitions(test_${name} PRIVATE CAROM_COMMAND="$<TARGET_FILE:carom>" CAROM_VERSION="${PROJECT_VERSION}" _DEFAULT_SOURCE)
  target_link_libraries(test_${name} PRIVATE util)
  add_dependencies(test_${name} carom)
endforeach()

# Its words for people, without a process around them.
carom_test(cli_words)
target_sources(test_cli_words PRIVATE ${PROJECT_SOURCE_DIR}/cli/words.c ${PROJECT_SOURCE_DIR}/cli/table.c)
target_include_directories(test_cli_words PRIVATE ${PROJECT_SOURCE_DIR}/cli)
target_compile_definitions(test_cli_words PRIVATE _DEFAULT_SOURCE)

# What it says of a model and of a run, without a process around it.
foreach(name cli_mechanism cli_summary)
  carom_test(${name})
  foreach(file arguments check commands csv explain files gaps groups help loading materials mesh new progress run shapes summary table view words)
    target_sources(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli/${file}.c)
  endforeach()
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/cli)
  target_compile_definitions(test_${name} PRIVATE _DEFAULT_SOURCE)
endforeach()
