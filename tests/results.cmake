foreach(part json write read export mechanism)
  carom_test(results_${part})
endforeach()
