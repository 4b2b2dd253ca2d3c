# Compile options that every target of the project shares.
add_library(tapehead_options INTERFACE)
target_compile_features(tapehead_options INTERFACE cxx_std_20)
target_compile_options(
  tapehead_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
            # Lets loops around sqrt and comparisons vectorise; no result changes.
            -fno-math-errno -fno-trapping-math)
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

# tapehead_library(FOLDER SOURCE...): the library of one folder, with the root as include path.
function(tapehead_library folder)
  add_library(tapehead_${folder} STATIC ${ARGN})
  add_library(tapehead::${folder} ALIAS tapehead_${folder})
  set_target_properties(tapehead_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(tapehead_${folder} PUBLIC cxx_std_20)
  target_include_directories(
    tapehead_${folder} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                              $<INSTALL_INTERFACE:include/tapehead>)
  target_link_libraries(tapehead_${folder} PRIVATE $<BUILD_INTERFACE:tapehead_options>)
endfunction()
