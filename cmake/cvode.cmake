# CVODE of SUNDIALS 6 or 7, optional. Sets CAROM_HAVE_CVODE, CAROM_CVODE_INCLUDE_DIR and CAROM_CVODE_LIBRARIES.
# Static archives are preferred: libcarom then needs no SUNDIALS at run time. The archive of CVODE carries its own vectors,
# matrices and solvers; version 7 keeps the common part in a library of its own.
set(CAROM_HAVE_CVODE OFF)
set(CAROM_CVODE_LIBRARIES "")
if(NOT CAROM_CVODE)
  return()
endif()

find_path(CAROM_CVODE_INCLUDE_DIR cvode/cvode.h)
foreach(part cvode core nvecserial sunmatrixdense sunlinsoldense sunnonlinsolfixedpoint)
  find_library(CAROM_SUNDIALS_${part} NAMES libsundials_${part}.a sundials_${part})
  mark_as_advanced(CAROM_SUNDIALS_${part})
endforeach()
mark_as_advanced(CAROM_CVODE_INCLUDE_DIR)
if(NOT CAROM_CVODE_INCLUDE_DIR OR NOT CAROM_SUNDIALS_cvode)
  message(STATUS "CVODE not found: built without it")
  return()
endif()

file(STRINGS ${CAROM_CVODE_INCLUDE_DIR}/sundials/sundials_config.h version REGEX "define SUNDIALS_VERSION ")
string(REGEX MATCH "[0-9]+\\.[0-9.]+" version "${version}")
if(version VERSION_LESS 6)
  message(STATUS "CVODE of SUNDIALS ${version} is older than 6: built without it")
  return()
endif()

set(CAROM_HAVE_CVODE ON)
set(CAROM_CVODE_LIBRARIES ${CAROM_SUNDIALS_cvode})
if(NOT CAROM_SUNDIALS_cvode MATCHES "\\.a$")
  list(APPEND CAROM_CVODE_LIBRARIES ${CAROM_SUNDIALS_nvecserial} ${CAROM_SUNDIALS_sunmatrixdense}
    ${CAROM_SUNDIALS_sunlinsoldense} ${CAROM_SUNDIALS_sunnonlinsolfixedpoint})
endif()
if(CAROM_SUNDIALS_core)
  list(APPEND CAROM_CVODE_LIBRARIES ${CAROM_SUNDIALS_core})
endif()
message(STATUS "CVODE of SUNDIALS ${version}: ${CAROM_SUNDIALS_cvode}")
