target_sources(carom_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/mechanism_stub.c)
foreach(part json write read export mechanism)
  carom_test(results_${part})
endforeach()
