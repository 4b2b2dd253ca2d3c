# What `cmake --install` puts in place: libraries, headers, the program, and the package files that
# make find_package(tapehead) work.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# tapehead::tapehead is everything.
add_library(tapehead_everything INTERFACE)
add_library(tapehead::tapehead ALIAS tapehead_everything)
set_target_properties(tapehead_everything PROPERTIES EXPORT_NAME tapehead)

get_property(libraries GLOBAL PROPERTY TAPEHEAD_LIBRARIES)
foreach(library IN LISTS libraries)
  install(TARGETS tapehead_${library} EXPORT tapehead_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/tapehead)
endforeach()
target_link_libraries(tapehead_everything INTERFACE tapehead_train)
foreach(folder base autograd layers optim data figures analysis train studies report)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tapehead
          FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
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
