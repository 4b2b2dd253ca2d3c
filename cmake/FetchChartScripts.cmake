# Puts vega.min.js, vega-lite.min.js and vega-embed.min.js into a folder:
#
#   cmake -D NPM=<npm> -D FROM=<folder of package-lock.json> -D TO=<folder> -P FetchChartScripts.cmake
#
# Where that is not possible the files are empty, and a message says why.
cmake_minimum_required(VERSION 3.24)

file(MAKE_DIRECTORY ${TO})
file(COPY ${FROM}/package.json ${FROM}/package-lock.json DESTINATION ${TO})
set(problem "npm is missing")
if(NPM)
  set(seconds 180)
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
            --fetch-retries=1
    WORKING_DIRECTORY ${TO} TIMEOUT ${seconds} RESULT_VARIABLE result OUTPUT_QUIET
    ERROR_VARIABLE problem)
  if(result EQUAL 0)
    set(problem)
  else()
    string(REGEX REPLACE "\n.*" "" problem "npm ci: ${result} ${problem}")
  endif()
endif()

foreach(package vega vega-lite vega-embed)
  set(script ${TO}/node_modules/${package}/build/${package}.min.js)
  if(NOT problem AND NOT EXISTS ${script})
    set(problem "${package} has no build/${package}.min.js")
  endif()
  if(problem)
    file(WRITE ${TO}/${package}.min.js "")
  else()
    configure_file(${script} ${TO}/${package}.min.js COPYONLY)
    file(TOUCH ${TO}/${package}.min.js)
  endif()
endforeach()
file(REMOVE_RECURSE ${TO}/node_modules)
if(problem)
  message(NOTICE "tapehead: reports will load their charts' scripts from the network (${problem}); "
                 "remove ${TO} to try again")
endif()
