# Checks that the folders include one another only in the allowed direction:
#
#   cmake -D ROOT=<checkout> -P layering_test.cmake
#
# Linking alone does not catch an include that needs nothing but a header.
cmake_minimum_required(VERSION 3.24)

set(libraries autograd layers optim data train)

# What the sources of a folder may include, as a regular expression on the path in quotes.
set(may_include_autograd "^autograd/")
set(may_include_layers "^(autograd|layers)/")
set(may_include_optim
    "^(optim/|autograd/(check|error|parameter_store|random|shape|tensor|types|kernels/parallel)\\.h$)")
set(may_include_data "^(data/|autograd/(error|random|types)\\.h$)")
set(may_include_train "^(autograd|layers|optim|data|train)/")
set(may_include_bench "^(autograd|layers|optim|data|train|bench)/")
set(may_include_examples "^(autograd|layers|optim|data|train|examples)/")

set(problems)
macro(problem file line text)
  list(APPEND problems "  ${file}: '${line}': ${text}")
endmacro()

# check_quoted(FILE FOLDER LINE): an include in quotes.
function(check_quoted file folder line)
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" header "${line}")
  if(NOT header MATCHES "/")
    problem(${file} "${line}" "includes in quotes begin at the root of the checkout")
  elseif(NOT header MATCHES "${may_include_${folder}}")
    problem(${file} "${line}" "${folder}/ may not include this")
  elseif(file MATCHES "^autograd/kernels/" AND NOT header MATCHES
         "^autograd/(kernels/.*|check\\.h|error\\.h|mask\\.h|random\\.h|shape\\.h|types\\.h)$")
    problem(${file} "${line}" "kernels know raw memory, and neither tensors nor the tape")
  endif()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

# check_library(FILE LINE): an include in angle brackets, or an OpenMP pragma.
function(check_library file line)
  if(line MATCHES "<(hdf5|H5[A-Za-z]*)\\.h>" AND NOT file MATCHES "^(data|train)/")
    problem(${file} "${line}" "HDF5 is named only in data/ and train/")
  elseif(line MATCHES "<(unsupported/)?Eigen/" AND NOT file MATCHES "^autograd/kernels/.*\\.cpp$")
    problem(${file} "${line}" "Eigen is named only in the sources of autograd/kernels/")
  elseif(line MATCHES "pragma +omp +simd" AND file MATCHES "^optim/")
    # Vectorises a loop; no threads.
  elseif(line MATCHES "(<omp\\.h>|pragma +omp)" AND NOT file MATCHES "^(autograd/kernels|train)/")
    problem(${file} "${line}" "OpenMP is named only in autograd/kernels/ and train/")
  endif()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

set(checked 0)
foreach(folder IN LISTS libraries ITEMS bench examples)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp"
       "${ROOT}/${folder}/*.inc")
  foreach(file IN LISTS files)
    math(EXPR checked "${checked} + 1")
    file(STRINGS "${ROOT}/${file}" lines REGEX "^ *# *(include|pragma +omp)")
    foreach(line IN LISTS lines)
      if(line MATCHES "include +\"")
        check_quoted(${file} ${folder} "${line}")
      elseif(folder IN_LIST libraries)
        check_library(${file} "${line}")
      endif()
    endforeach()
  endforeach()
endforeach()

if(checked EQUAL 0)
  message(FATAL_ERROR "no sources in '${ROOT}'")
endif()
list(LENGTH problems count)
if(count)
  list(JOIN problems "\n" text)
  message(FATAL_ERROR "${count} lines against the direction of the folders:\n${text}")
endif()
message(STATUS "${checked} files include only what they may")
