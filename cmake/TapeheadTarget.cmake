# Compile options that every target of the project shares.
add_library(tapehead_options INTERFACE)
target_compile_features(tapehead_options INTERFACE cxx_std_20)
target_compile_options(
  tapehead_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
            # Lets loops around sqrt and comparisons vectorise; no result changes.
            -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 gives these warnings for its own AVX-512 intrinsics (GCC bug 105593), at any use of them;
  # Clang's build still has them.
  target_compile_options(tapehead_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  if(CMAKE_UNITY_BUILD)
    # What stands in a source's unnamed namespace stands in a header's then.
    target_compile_options(tapehead_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(TAPEHEAD_WERROR)
  target_compile_options(tapehead_options INTERFACE -Werror)
endif()
if(TAPEHEAD_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native TAPEHEAD_HAS_MARCH_NATIVE)
  if(TAPEHEAD_HAS_MARCH_NATIVE)
    target_compile_options(tapehead_options INTERFACE -march=native)
  endif()
endif()
if(TAPEHEAD_SANITIZE)
  target_compile_options(tapehead_options INTERFACE -fsanitize=${TAPEHEAD_SANITIZE}
                                                    -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_compile_definitions(tapehead_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(tapehead_options INTERFACE -fsanitize=${TAPEHEAD_SANITIZE})
endif()

# Every library of the project, in the order of dependency.
define_property(GLOBAL PROPERTY TAPEHEAD_LIBRARIES)

# tapehead_library(NAME SOURCE...): the library of one folder, with the root as include path.
function(tapehead_library folder)
  set_property(GLOBAL APPEND PROPERTY TAPEHEAD_LIBRARIES ${folder})
  add_library(tapehead_${folder} STATIC ${ARGN})
  add_library(tapehead::${folder} ALIAS tapehead_${folder})
  set_target_properties(tapehead_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(tapehead_${folder} PUBLIC cxx_std_20)
  target_include_directories(
    tapehead_${folder} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                              $<INSTALL_INTERFACE:include/tapehead>)
  target_link_libraries(tapehead_${folder} PRIVATE $<BUILD_INTERFACE:tapehead_options>)
  # Half of the time of a typical source goes to these. The sources still include what they use:
  # the tsan preset compiles each by itself and without them.
  target_precompile_headers(
    tapehead_${folder} PRIVATE <algorithm> <cmath> <functional> <memory> <optional> <span> <string>
                               <string_view> <vector> <fmt/format.h>)
endfunction()

# tapehead_compile_fast(TARGET): for programs that do not compute (tests, the command line): their
# release build costs more time at -O3 than it ever gains.
function(tapehead_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
