# Installs the build to a scratch folder, builds examples/use_installed on it, and runs that:
#
#   cmake -D BUILD=<build folder> -D SOURCE=<checkout> -D SCRATCH=<folder> -D GENERATOR=<name>
#         -D COMPILER=<c++> -P install_test.cmake
cmake_minimum_required(VERSION 3.24)
file(REMOVE_RECURSE "${SCRATCH}")

function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output ERROR_VARIABLE output
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}/examples/use_installed"
    -B "${SCRATCH}/app" "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    -DCMAKE_CXX_FLAGS=-Werror)
run("${CMAKE_COMMAND}" --build "${SCRATCH}/app")
run("${SCRATCH}/app/app")
if(NOT output STREQUAL "0.25 -0.25\n")
  message(FATAL_ERROR "the program printed '${output}', not '0.25 -0.25'")
endif()
if(EXISTS "${BUILD}/tapehead")
  run("${SCRATCH}/prefix/bin/tapehead" --help)
endif()
file(REMOVE_RECURSE "${SCRATCH}")
