foreach(part json write read export rigid mechanism mesh patches)
  carom_test(results_${part})
endforeach()
