# carom_embed(FILE OUTPUT NAME): writes OUTPUT, a C source with the bytes of FILE as `const unsigned char NAME[]` and their number
# as `const size_t NAME_size`. At configure time, again whenever FILE changes.
function(carom_embed file output name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  if(EXISTS ${output} AND NOT ${file} IS_NEWER_THAN ${output})
    return()
  endif()
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  get_filename_component(base ${file} NAME)
  file(WRITE ${output} "// Made from ${base}.
#include <stddef.h>

extern const unsigned char ${name}[];
extern const size_t ${name}_size;
const unsigned char ${name}[] = {
${hex}
};
const size_t ${name}_size = sizeof ${name};
")
endfunction()
