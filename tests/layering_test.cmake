# Checks that the folders include one another only in the allowed direction:
#
#   cmake -D ROOT=<checkout> -P layering_test.cmake
#
# Linking alone does not catch an include that needs nothing but a header.
cmake_minimum_required(VERSION 3.24)

# row(FOLDER WHAT...): the sources of a folder, apart from those of its subfolders that have rows of
# their own, may include what lies in FOLDER itself and what the words name: folders, without the
# subfolders that have rows, or single headers.
set(rows)
macro(row folder)
  list(APPEND rows ${folder})
  set(allowed_${folder} ${folder} ${ARGN})
endmacro()

# In the order of dependency.
row(base)
row(autograd/kernels base)
row(autograd base autograd/kernels)
row(autograd/ops base autograd/kernels autograd)
row(layers base autograd/kernels autograd autograd/ops)
row(optim base autograd/check.h autograd/parameter_store.h autograd/tensor.h)
row(data base)
row(figures base)
row(analysis base autograd/kernels autograd autograd/ops layers data figures)
row(train/config base autograd/ops/activation_kind.h layers optim data figures)
row(train base autograd/kernels autograd autograd/ops layers optim data figures analysis
    train/config)
row(studies base autograd/kernels autograd autograd/ops layers optim data figures analysis
    train/config train)
row(report base figures)
set(library_rows ${rows})
row(app/bench ${library_rows})
row(app/documents ${library_rows})
row(app ${library_rows})
row(app/cli ${library_rows} app app/bench app/documents)
row(bench ${library_rows})
row(examples ${library_rows} tapehead.h)

# Where libraries may be named: LIBRARY PATTERN-OF-THE-INCLUDE PATTERN-OF-THE-FILE WHERE.
set(hdf5 "<(hdf5|H5[A-Za-z]*)\\.h>" "^(data|train)/" "data/ and train/")
set(eigen "<(unsupported/)?Eigen/" "^autograd/kernels/.*\\.cpp$" "the sources of autograd/kernels/")
set(toml "<toml\\+\\+/" "^train/config/.*\\.cpp$" "the sources of train/config/")
set(json "<nlohmann/" "^((studies|report|app)/.*\\.cpp|(report|app)/.*\\.h)$"
    "the sources of studies/, report/ and app/")
set(cli11 "<CLI/" "^app/cli/" "app/cli/")
set(openmp "(<omp\\.h>|pragma +omp)" "^(base|autograd/kernels|train|studies|app)/"
    "base/, autograd/kernels/, train/, studies/ and app/")

set(problems)
macro(problem file line text)
  list(APPEND problems "  ${file}: '${line}': ${text}")
endmacro()

# row_of(PATH VARIABLE): the row of a file: the longest folder of its path that has one.
function(row_of path variable)
  set(folder "${path}")
  while(folder MATCHES "/")
    string(REGEX REPLACE "/[^/]*$" "" folder "${folder}")
    if(folder IN_LIST rows)
      set(${variable} ${folder} PARENT_SCOPE)
      return()
    endif()
  endwhile()
  set(${variable} "" PARENT_SCOPE)
endfunction()

# check_quoted(FILE ROW LINE): an include in quotes.
function(check_quoted file row line)
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" header "${line}")
  row_of(${header} header_row)
  if(header IN_LIST allowed_${row})
    return()
  elseif(NOT header MATCHES "/")
    problem(${file} "${line}" "includes in quotes begin at the root of the checkout")
  elseif(NOT header_row IN_LIST allowed_${row})
    problem(${file} "${line}" "${row}/ may not include this")
  endif()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

# check_library(FILE LINE): an include in angle brackets, or an OpenMP pragma.
function(check_library file line)
  if(line MATCHES "pragma +omp +simd" AND file MATCHES "^optim/")
    return()  # vectorises a loop; no threads
  endif()
  foreach(library hdf5 eigen toml json cli11 openmp)
    list(GET ${library} 0 pattern)
    list(GET ${library} 1 files)
    list(GET ${library} 2 where)
    if(line MATCHES "${pattern}" AND NOT file MATCHES "${files}")
      problem(${file} "${line}" "this is named only in ${where}")
    endif()
  endforeach()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

set(checked 0)
set(folders ${rows})
list(TRANSFORM folders REPLACE "/.*" "")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp"
       "${ROOT}/${folder}/*.inc")
  foreach(file IN LISTS files)
    math(EXPR checked "${checked} + 1")
    row_of(${file} row)
    file(STRINGS "${ROOT}/${file}" lines REGEX "^ *# *(include|pragma +omp)")
    foreach(line IN LISTS lines)
      if(line MATCHES "include +\"")
        check_quoted(${file} ${row} "${line}")
      elseif(NOT folder MATCHES "^(bench|examples)$")
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
