# Collision of meshes against exhaustive references.
add_library(mesh_reference STATIC mesh_parts.c mesh_reference.c)
target_include_directories(mesh_reference PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(mesh_reference PRIVATE -O2)  # with sanitizers too: most of the time is spent here
target_link_libraries(mesh_reference PUBLIC carom_static carom_flags m)

foreach(name mesh_parts mesh_reference mesh_distance mesh_shapes mesh_witness mesh_point mesh_depth mesh_clipped)
  carom_test(${name})
  target_link_libraries(test_${name} PRIVATE mesh_reference)
endforeach()
