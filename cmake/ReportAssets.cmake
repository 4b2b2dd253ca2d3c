# tapehead_report_assets(TARGET): adds a source with the files of report/assets to a target,
# and with Vega's scripts, which npm fetches at build time at the versions of package-lock.json.
# Without npm or a network the build works too: pages then load the scripts from the address in
# assets.cpp.in.
find_program(TAPEHEAD_NPM npm DOC "Fetches the scripts of the report's charts")

# The version of a package that package.json asks for.
function(tapehead_locked_version package variable)
  file(READ ${TAPEHEAD_REPORT_ASSETS}/package.json json)
  string(JSON version GET "${json}" dependencies ${package})
  set(${variable} ${version} PARENT_SCOPE)
endfunction()

function(tapehead_report_assets target)
  set(TAPEHEAD_REPORT_ASSETS ${PROJECT_SOURCE_DIR}/report/assets)
  set(TAPEHEAD_CHART_SCRIPTS ${PROJECT_BINARY_DIR}/chart_scripts)
  tapehead_locked_version(vega TAPEHEAD_VEGA_VERSION)
  tapehead_locked_version(vega-lite TAPEHEAD_VEGA_LITE_VERSION)
  tapehead_locked_version(vega-embed TAPEHEAD_VEGA_EMBED_VERSION)
  set(scripts ${TAPEHEAD_CHART_SCRIPTS}/vega.min.js ${TAPEHEAD_CHART_SCRIPTS}/vega-lite.min.js
              ${TAPEHEAD_CHART_SCRIPTS}/vega-embed.min.js)
  set(locks ${TAPEHEAD_REPORT_ASSETS}/package.json ${TAPEHEAD_REPORT_ASSETS}/package-lock.json)
  add_custom_command(
    OUTPUT ${scripts}
    COMMAND ${CMAKE_COMMAND} -D NPM=${TAPEHEAD_NPM} -D FROM=${TAPEHEAD_REPORT_ASSETS}
            -D TO=${TAPEHEAD_CHART_SCRIPTS} -P ${PROJECT_SOURCE_DIR}/cmake/FetchChartScripts.cmake
    DEPENDS ${locks} ${PROJECT_SOURCE_DIR}/cmake/FetchChartScripts.cmake
    COMMENT "Fetching the charts' scripts"
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                         ${TAPEHEAD_REPORT_ASSETS}/package.json)
  set(source ${PROJECT_BINARY_DIR}/report_assets.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/report/assets.cpp.in ${source} @ONLY)
  set(files ${scripts} ${TAPEHEAD_REPORT_ASSETS}/page.css ${TAPEHEAD_REPORT_ASSETS}/page.js
            ${TAPEHEAD_REPORT_ASSETS}/attention.js)
  set_source_files_properties(
    ${source} TARGET_DIRECTORY ${target}
    PROPERTIES OBJECT_DEPENDS "${files}" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${source} ${scripts})
endfunction()
