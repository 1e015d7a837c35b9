#include "app/cli/run_program.h"

int main(int argc, char** argv) {
    return stridescope::runProgram(argc, argv);
}
