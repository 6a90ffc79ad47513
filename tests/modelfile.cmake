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
