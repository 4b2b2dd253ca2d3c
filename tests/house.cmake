# Tests of the house rather than of the code: layering, headers, installation, sanitizers.

if(TAPEHEAD_SANITIZE)
  # What a sanitizer must report, it does; what is right, it leaves alone.
  add_executable(sanitizer_probe sanitizer_probe.cpp)
  target_link_libraries(sanitizer_probe PRIVATE tapehead_options OpenMP::OpenMP_CXX)
  function(expect_report argument report)
    add_test(NAME sanitizer.${argument} COMMAND sanitizer_probe ${argument})
    set_tests_properties(sanitizer.${argument} PROPERTIES PASS_REGULAR_EXPRESSION "${report}"
                         FAIL_REGULAR_EXPRESSION "nothing was reported")
  endfunction()
  if(TAPEHEAD_SANITIZE MATCHES "thread")
    expect_report(race "data race")
    add_test(NAME sanitizer.no_race COMMAND sanitizer_probe no_race)
  endif()
  if(TAPEHEAD_SANITIZE MATCHES "address")
    expect_report(read_past_end "heap-buffer-overflow")
  endif()
  if(TAPEHEAD_SANITIZE MATCHES "undefined")
    expect_report(overflow "signed integer overflow")
  endif()
  return()
endif()

add_test(NAME house.layering
         COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR}
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/layering_test.cmake)
add_test(NAME house.layering_self_test
         COMMAND ${CMAKE_COMMAND} -D SCRATCH=${PROJECT_BINARY_DIR}/layering_self_test
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/layering_self_test.cmake)

# docs/ops.md lists every op and layer with the first sentence of its docstring;
# `docs/ops.sh > docs/ops.md` writes it.
add_test(NAME house.ops_doc
         COMMAND bash -c "diff -u docs/ops.md <(docs/ops.sh)"
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

include(${PROJECT_SOURCE_DIR}/cmake/HeaderTest.cmake)
get_property(libraries GLOBAL PROPERTY TAPEHEAD_LIBRARIES)
foreach(library IN LISTS libraries)
  tapehead_header_test(${library})
endforeach()
add_test(NAME house.headers_compile_alone
         COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_test)

add_test(NAME house.install
         COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D SOURCE=${PROJECT_SOURCE_DIR}
                 -D SCRATCH=${PROJECT_BINARY_DIR}/install_test -D GENERATOR=${CMAKE_GENERATOR}
                 -D COMPILER=${CMAKE_CXX_COMPILER}
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/install_test.cmake)
set_tests_properties(house.headers_compile_alone house.install PROPERTIES LABELS slow)
