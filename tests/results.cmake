foreach(part json write read export mechanism mesh patches)
  carom_test(results_${part})
endforeach()
