# Checks that layering_test.cmake finds what it should, on small trees made for the purpose:
#
#   cmake -D SCRATCH=<folder> -P layering_self_test.cmake
cmake_minimum_required(VERSION 3.24)

# expect(RESULT FILE LINE): a tree whose only source is FILE, holding LINE, is `accepted` or
# `refused`, and if refused the message names the file and the line.
function(expect expected file line)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(WRITE "${SCRATCH}/${file}" "#pragma once\n${line}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D "ROOT=${SCRATCH}" -P "${CMAKE_CURRENT_LIST_DIR}/layering_test.cmake"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  set(actual accepted)
  if(NOT status EQUAL 0)
    set(actual refused)
    string(FIND "${output}" "${file}: '${line}'" named)
    if(named EQUAL -1)
      message(SEND_ERROR "${file} with ${line}: refused, but not by name:\n${output}")
    endif()
  endif()
  if(NOT actual STREQUAL expected)
    message(SEND_ERROR "${file} with ${line}: ${actual}; it should be ${expected}")
  endif()
endfunction()

expect(accepted autograd/ops/add.cpp "#include \"autograd/tape.h\"")
expect(refused autograd/ops/add.cpp "#include \"layers/linear.h\"")
expect(refused autograd/ops/add.cpp "#include \"add.h\"")
expect(refused autograd/kernels/add.cpp "#include \"autograd/tape.h\"")
expect(refused autograd/kernels/add.h "#include \"autograd/ops/add.h\"")
expect(accepted autograd/kernels/add.cpp "#include <Eigen/Core>")
expect(refused autograd/kernels/add.h "#include <Eigen/Core>")
expect(refused autograd/tensor.cpp "#include <Eigen/Core>")
expect(accepted autograd/kernels/parallel.h "#pragma omp parallel for")
expect(refused autograd/tape.cpp "#pragma omp parallel for")
expect(refused layers/linear.cpp "#include <omp.h>")
expect(accepted layers/linear.h "#include \"autograd/ops/linear.h\"")
expect(refused layers/linear.h "#include \"optim/adam.h\"")
expect(accepted optim/adam.h "#include \"autograd/parameter_store.h\"")
expect(refused optim/adam.h "#include \"autograd/tape.h\"")
expect(refused optim/adam.h "#include \"layers/linear.h\"")
expect(accepted optim/adam.cpp "#pragma omp simd")
expect(refused optim/adam.cpp "#pragma omp parallel for simd")
expect(accepted data/task.h "#include \"autograd/random.h\"")
expect(refused data/task.h "#include \"autograd/tensor.h\"")
expect(accepted data/file.cpp "#include <hdf5.h>")
expect(refused layers/file.cpp "#include <hdf5.h>")
expect(refused optim/file.cpp "#  include <H5Fpublic.h>")
expect(accepted train/cli/main.cpp "#include \"layers/linear.h\"")
expect(refused train/cli/main.cpp "#include \"tests/support/expect.h\"")
expect(refused bench/gemm_bench.cpp "#include \"tests/support/expect.h\"")
file(REMOVE_RECURSE "${SCRATCH}")
