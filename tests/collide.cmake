# Collision detection against slow references. collide_cases_make writes data/collide_cases.txt (it says how); the tests only read it.
add_library(collide_reference STATIC collide_reference.c collide_cases.c collide_checks.c)
target_include_directories(collide_reference PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(collide_reference PRIVATE -O2)  # with sanitizers too: most of the time is spent here
target_link_libraries(collide_reference PUBLIC carom_static carom_flags PkgConfig::CMOCKA PkgConfig::QHULL m)

add_executable(collide_cases_make collide_cases_make.c)
target_link_libraries(collide_cases_make PRIVATE collide_reference)

foreach(name collide_reference collide_degenerate collide_paths sweep sweep_turning)
  carom_test(${name})
  target_link_libraries(test_${name} PRIVATE collide_reference)
endforeach()

carom_test(broad)
target_link_options(test_broad PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
