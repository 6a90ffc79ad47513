# carom_fuzz(name): tests/fuzz/fuzz_<name>.c, a libFuzzer program; needs clang. `make fuzz` runs them, as scripts/fuzz.sh says.
function(carom_fuzz name)
  add_executable(fuzz_${name} fuzz/fuzz_${name}.c)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE carom_static carom_flags m)
endfunction()

if(CAROM_FUZZ)
  carom_fuzz(modelfile)
  carom_fuzz(results)
endif()
