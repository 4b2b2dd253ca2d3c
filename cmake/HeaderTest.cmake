# tapehead_header_test(FOLDER): compiles each header of a folder alone, and twice over, with what
# the folder's library is compiled with, when the target `header_test` is built.
function(tapehead_header_test folder)
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  set(sources)
  foreach(header IN LISTS headers)
    set(source ${PROJECT_BINARY_DIR}/header_test/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  add_library(${folder}_header_test OBJECT EXCLUDE_FROM_ALL ${sources})
  target_include_directories(${folder}_header_test SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})
  # The library itself, for what it hands on, and its private dependencies.
  get_target_property(dependencies tapehead_${folder} LINK_LIBRARIES)
  target_link_libraries(${folder}_header_test PRIVATE tapehead_${folder} ${dependencies})
  target_compile_options(${folder}_header_test PRIVATE -O0)
  if(NOT TARGET header_test)
    add_custom_target(header_test)
  endif()
  add_dependencies(header_test ${folder}_header_test)
endfunction()
