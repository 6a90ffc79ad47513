# carom_fuzz(name): tests/fuzz/fuzz_<name>.c, a libFuzzer program; needs clang. `make fuzz` runs them, as scripts/fuzz.sh says.
function(carom_fuzz name)
  add_executable(fuzz_${name} fuzz/fuzz_${name}.c)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE carom_static carom_flags m)
endfunction()

# carom_mutate(name): the same program with a deterministic mutation driver, in every test run: 5000 mutations of the files and folders that follow, and
# 200,000 with the target fuzz_<name>_long.
function(carom_mutate name)
  add_executable(mutate_${name} fuzz/mutate.c fuzz/fuzz_${name}.c)
  target_include_directories(mutate_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(mutate_${name} PRIVATE carom_static carom_flags m)
  target_compile_definitions(mutate_${name} PRIVATE _POSIX_C_SOURCE=200809L)
  add_test(NAME ${name}_mutations COMMAND mutate_${name} 1 5000 0 ${ARGN})
  add_custom_target(fuzz_${name}_long COMMAND mutate_${name} 2 200000 0 ${ARGN} USES_TERMINAL)
endfunction()

carom_mutate(modelfile ${CMAKE_CURRENT_SOURCE_DIR}/models/good ${CMAKE_CURRENT_SOURCE_DIR}/models/bad)
carom_mutate(mesh ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/mesh)
carom_mutate(meshcache ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/meshcache)
if(CAROM_FUZZ)
  carom_fuzz(modelfile)
  carom_fuzz(results)
  carom_fuzz(mesh)
  carom_fuzz(meshcache)
endif()
