# Tests of src/modelfile.
add_executable(modelfile_tool modelfile_tool.c)
target_include_directories(modelfile_tool PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(modelfile_tool PRIVATE carom_static carom_flags)
