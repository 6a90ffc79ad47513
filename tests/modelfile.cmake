# Tests of src/modelfile.
add_executable(modelfile_tool modelfile_tool.c)
target_include_directories(modelfile_tool PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(modelfile_tool PRIVATE carom_static carom_flags)

carom_test(modelfile_units)
carom_test(modelfile_tree)
carom_test(modelfile_bad)
carom_test(modelfile_read)
carom_test(modelfile_joint)
target_link_options(test_modelfile_joint PRIVATE -Wl,--wrap=carom_builder_joint,--wrap=carom_builder_spring,--wrap=carom_builder_force)
carom_test(modelfile_docs)
carom_test(modelfile_memory)
target_link_options(test_modelfile_memory PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)

# Fuzzing: a deterministic mutation driver in every test run (and 200,000 mutations with the target fuzz_modelfile_long);
# with CAROM_FUZZ and clang also a libFuzzer target (fuzz/fuzz.cmake).
add_executable(mutate_modelfile fuzz/mutate.c fuzz/fuzz_modelfile.c)
target_include_directories(mutate_modelfile PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(mutate_modelfile PRIVATE carom_static carom_flags m)
target_compile_definitions(mutate_modelfile PRIVATE _POSIX_C_SOURCE=200809L)
set(models ${CMAKE_CURRENT_SOURCE_DIR}/models/good ${CMAKE_CURRENT_SOURCE_DIR}/models/bad)
add_test(NAME modelfile_mutations COMMAND mutate_modelfile 1 5000 0 ${models})
add_custom_target(fuzz_modelfile_long COMMAND mutate_modelfile 2 200000 0 ${models} USES_TERMINAL)
