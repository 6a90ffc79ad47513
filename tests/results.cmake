foreach(part json write read export)
  carom_test(results_${part})
endforeach()
