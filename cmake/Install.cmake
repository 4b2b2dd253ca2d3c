# What `cmake --install` puts in place: libraries, headers, the program, and the package files that
# make find_package(tapehead) work.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# tapehead::tapehead is everything.
add_library(tapehead_everything INTERFACE)
add_library(tapehead::tapehead ALIAS tapehead_everything)
set_target_properties(tapehead_everything PROPERTIES EXPORT_NAME tapehead)

foreach(folder autograd layers optim data train)
  if(TARGET tapehead_${folder})
    target_link_libraries(tapehead_everything INTERFACE tapehead_${folder})
    install(TARGETS tapehead_${folder} EXPORT tapehead_targets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/tapehead)
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tapehead
            FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
  endif()
endforeach()
install(TARGETS tapehead_everything EXPORT tapehead_targets)
if(TARGET tapehead_cli)
  install(TARGETS tapehead_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tapehead)
install(EXPORT tapehead_targets NAMESPACE tapehead:: DESTINATION ${package_dir}
        FILE tapehead-targets.cmake)
configure_package_config_file(
  cmake/tapehead-config.cmake.in ${PROJECT_BINARY_DIR}/tapehead-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tapehead-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tapehead-config.cmake
              ${PROJECT_BINARY_DIR}/tapehead-config-version.cmake DESTINATION ${package_dir})
