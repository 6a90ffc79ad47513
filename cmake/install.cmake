# What `make install` puts where. Everything is relative to the prefix, so that an installed tree can be moved.
include(CMakePackageConfigHelpers)

set_target_properties(carom_shared PROPERTIES EXPORT_NAME carom)
set_target_properties(carom_static PROPERTIES EXPORT_NAME static)
install(TARGETS carom_shared carom_static EXPORT carom-targets)
install(DIRECTORY include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/carom)
if(TARGET carom)
  install(TARGETS carom)
endif()

# A static library leaves its own needs to the program: libyaml, qhull, libpng, expat, zlib, and SUNDIALS if it was built with it.
set(CAROM_PC_LIBS_PRIVATE -lm)
set(CAROM_CVODE_NAMES)
foreach(library ${CAROM_CVODE_LIBRARIES})
  get_filename_component(name ${library} NAME_WE)
  string(REGEX REPLACE "^lib" "" name ${name})
  list(APPEND CAROM_CVODE_NAMES ${name})
  string(APPEND CAROM_PC_LIBS_PRIVATE " -l${name}")
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(EXPORT carom-targets NAMESPACE carom:: DESTINATION ${package_dir})
configure_package_config_file(cmake/carom-config.cmake.in ${PROJECT_BINARY_DIR}/carom-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/carom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/carom-config.cmake ${PROJECT_BINARY_DIR}/carom-config-version.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH CAROM_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/carom.pc.in ${PROJECT_BINARY_DIR}/carom.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
