# Every stridescope_LANGUAGE.ts becomes a .qm inside the program. Without Qt's lrelease (Debian: qt6-l10n-tools) the program
# is built in English alone. How texts come into the .ts files: docs/languages.md.
get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
cmake_path(GET qmake PARENT_PATH qt_programs)
find_program(STRIDESCOPE_LRELEASE lrelease HINTS ${qt_programs} /usr/lib/qt6/bin NO_DEFAULT_PATH)

set(STRIDESCOPE_TRANSLATIONS ${CMAKE_CURRENT_LIST_DIR})
function(stridescope_translations target)
  if(NOT STRIDESCOPE_LRELEASE)
    message(STATUS "lrelease not found (qt6-l10n-tools): the program is built in English alone")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${STRIDESCOPE_TRANSLATIONS}/*.ts)
  set(folder ${PROJECT_BINARY_DIR}/translations)
  file(MAKE_DIRECTORY ${folder})
  set(list "")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_custom_command(OUTPUT ${folder}/${name}.qm
      COMMAND ${STRIDESCOPE_LRELEASE} -silent ${source} -qm ${folder}/${name}.qm DEPENDS ${source} VERBATIM)
    list(APPEND compiled ${folder}/${name}.qm)
    string(APPEND list "<file>${name}.qm</file>")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/translations.qrc
    CONTENT "<RCC><qresource prefix=\"/stridescope/translations\">${list}</qresource></RCC>\n")
  target_sources(${target} PRIVATE ${folder}/translations.qrc ${compiled})
  # The file alone, so that nothing else of the program is compiled anew when lrelease comes or goes.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/app/settings/language.cpp PROPERTIES
    COMPILE_DEFINITIONS STRIDESCOPE_TRANSLATIONS=1)
endfunction()
