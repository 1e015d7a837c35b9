"""Runs one file of unittests and ends with the line that tests/run adds up: run.py FILE [NAME…]."""
import importlib.util
import os
import sys
import unittest

sys.dont_write_bytecode = True


def main():
    path = sys.argv[1]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(sys.argv[2:], module) if sys.argv[2:] else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    wrong = [test for test, _ in result.failures + result.errors] + list(result.unexpectedSuccesses)
    failed = len({getattr(test, "test_case", test).id() for test in wrong})  # many subtests are one test
    skipped = len(result.skipped)
    for test, _ in result.failures + result.errors:
        print(f"FAIL!  : {test.id()}")
    print(f"UNITTEST-TOTALS passed={result.testsRun - failed - skipped} failed={failed} skipped={skipped}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
