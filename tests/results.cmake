foreach(part json write read export mechanism mesh)
  carom_test(results_${part})
endforeach()
