"""`stridescope run`: what a script sees and leaves is what the same Python would show, but torch is ours."""
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

PROGRAM = os.environ.get("STRIDESCOPE_PROGRAM", "")
BUILD = os.environ.get("STRIDESCOPE_BUILD", "")


def environment(**changes):
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR") if name in os.environ}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **changes}


def run(*arguments, program=PROGRAM, python=sys.executable, **keywords):
    keywords.setdefault("env", environment())
    chosen = ["--python", python] if python else []
    return subprocess.run([program, "run", *chosen, *arguments], capture_output=True, timeout=60, **keywords)


@unittest.skipUnless(os.path.exists(PROGRAM), "the program is not built; this test drives it")
class RunCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def write(self, text, name="script.py"):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path


class AsPython(RunCase):
    """The program against the interpreter itself."""

    def same(self, *arguments, **keywords):
        plain = subprocess.run([sys.executable, *arguments], capture_output=True, timeout=60, env=environment(),
                               **keywords)
        ours = run(*arguments, **keywords)
        self.assertEqual((ours.stdout, ours.stderr, ours.returncode),
                         (plain.stdout, plain.stderr, plain.returncode))
        return ours

    def test_arguments_and_path(self):
        script = self.write("""
            import sys
            print(sys.argv, sys.path[0], __name__, __file__, sys.executable, sys.flags)
            """)
        self.same(script, "a b", "--python", "x", "-h", "", "\xe4")
        os.makedirs(os.path.join(self.folder, "sub"))
        self.same("script.py", cwd=self.folder)
        self.same("../script.py", cwd=os.path.join(self.folder, "sub"))
        self.same("-u", "-W", "ignore", "-Xutf8", "-OO", script, "-I")

    def test_exit_codes(self):
        for text, code in (("", 0), ("raise SystemExit(7)", 7), ("import sys; sys.exit('sorry')", 1),
                           ("1 / 0", 1), ("import os; os._exit(200)", 200), ("f(", 1),
                           ("import os; os.abort()", -signal.SIGABRT), ("import sys; sys.exit(300)", 44)):
            with self.subTest(text):
                self.assertEqual(self.same(self.write(text)).returncode, code)

    def test_tracebacks(self):
        self.same(self.write("""
            def f(n):
                return [1, 2][n] + undefined

            try:
                f(9)
            except IndexError as error:
                raise RuntimeError("while f") from error
            """))
        self.same(os.path.join(self.folder, "missing.py"))
        self.same(self.folder)  # no __main__ in it

    def test_other_ways_to_say_what_runs(self):
        self.same("-c", "import sys; print(sys.argv)", "-c", "x", "--python")
        self.same("-m", "base64", "-t")
        self.same("-m", "no_such_module")
        self.same("-", "a", input=b"import sys; print(sys.argv)")
        self.same(input=b"print(1)\nprint(2)")
        self.same("-V")
        self.same("-Bc", "print(3)")
        self.write("print('package', __name__)", "package/__main__.py")
        self.same("package", cwd=self.folder)
        self.same("-m", "package", cwd=self.folder)

    def test_standard_input(self):
        script = self.write("""
            import sys
            print(input("? "), len(sys.stdin.read()), sys.stdin.isatty())
            """)
        self.same(script, input=b"one\ntwo\n" * 10000)
        self.same(script, input=b"")

    def test_bytes_pass_unchanged(self):
        out = self.same(self.write("""
            import os, sys
            sys.stdout.buffer.write(bytes(range(256)) * 1000)
            sys.stdout.flush()
            os.write(2, b"\\xff\\x00")
            """))
        self.assertEqual(len(out.stdout), 256000)

    def test_a_reader_that_went_away(self):
        # The reader goes before the first line: what a write in progress got rid of would change Python's exit code.
        script = self.write("input()\nfor i in range(100000): print(i)")
        codes = []
        for command in ([sys.executable], [PROGRAM, "run", "--python", sys.executable]):
            process = subprocess.Popen([*command, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=environment())
            process.stdout.close()
            process.stdin.write(b"\n")
            process.stdin.close()
            codes.append((process.wait(60), process.stderr.read().count(b"BrokenPipeError") > 0))
            process.stderr.close()
        self.assertEqual(codes[0], codes[1])

    def signalled(self, number, text):
        process = subprocess.Popen([PROGRAM, "run", "--python", sys.executable, "-u", self.write(text)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_signals(self):
        loop = "import time\nprint('ready')\nwhile True: time.sleep(1)\n"
        code, _, err = self.signalled(signal.SIGINT, loop)
        self.assertEqual((code, err.splitlines()[-1]), (-signal.SIGINT, b"KeyboardInterrupt"))
        self.assertEqual(self.signalled(signal.SIGTERM, loop), (-signal.SIGTERM, b"", b""))
        caught = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *a: sys.exit(9))\n" + loop
        self.assertEqual(self.signalled(signal.SIGTERM, caught)[0], 9)

    def test_a_terminal_is_a_terminal(self):
        script = self.write("import os; print(all(os.isatty(i) for i in range(3)), os.getpid() == os.getpgid(0))")
        master, slave = pty.openpty()
        process = subprocess.Popen([PROGRAM, "run", "--python", sys.executable, script], stdin=slave, stdout=slave,
                                   stderr=slave, env=environment(), start_new_session=True)
        os.close(slave)
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(os.read(master, 1000), b"True True\r\n")
        os.close(master)

    def test_no_descriptors_are_left_open(self):
        out = self.same(self.write("import os; print(sorted(os.listdir('/proc/self/fd'))[:-1])"))
        self.assertEqual(out.stdout, b"['0', '1', '2']\n")


class OurTensors(RunCase):
    SCRIPT = """
        import torch, torchvision, torchvision.utils, torch.utils.benchmark, sys
        print(torch.__version__, torch.arange(6).view(2, 3).t().stride())
        """
    OUTPUT = b"1.13.1+stridescope (1, 3)\n"

    def test_torch_is_ours(self):
        self.assertEqual(run(self.write(self.SCRIPT)).stdout, self.OUTPUT)
        self.assertEqual(run("-c", textwrap.dedent(self.SCRIPT)).stdout, self.OUTPUT)
        self.assertEqual(run("-", input=textwrap.dedent(self.SCRIPT).encode()).stdout, self.OUTPUT)

    def test_it_wins_over_one_that_is_installed(self):
        self.write("print('another torch')", "other/torch/__init__.py")
        other = os.path.join(self.folder, "other")
        result = run(self.write(self.SCRIPT), env=environment(PYTHONPATH=other))
        self.assertEqual(result.stdout, self.OUTPUT)
        venv = os.path.join(self.folder, "venv")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        shutil.copytree(other, os.path.join(venv, "lib", "python3.11", "site-packages"), dirs_exist_ok=True)
        python = os.path.join(venv, "bin", "python3")
        self.assertIn(b"another torch", subprocess.run([python, "-c", "import torch"], capture_output=True).stdout)
        self.assertEqual(run(self.write(self.SCRIPT), python=python).stdout, self.OUTPUT)
        # That environment is the one that runs, not the Python that it was made from.
        self.assertEqual(run("-c", "import sys; print(sys.prefix)", python=python).stdout.decode().strip(), venv)

    def test_what_lies_beside_the_script_is_the_scripts(self):
        self.write("value = 7", "helper.py")
        self.assertEqual(run(self.write("import helper, torch; print(torch.tensor(helper.value))")).stdout,
                         b"tensor(7)\n")

    def test_processes_of_the_script_have_it_too(self):
        script = self.write("""
            import multiprocessing, subprocess, sys, torch

            def square(n):
                return int(torch.tensor(n).square())

            if __name__ == "__main__":
                subprocess.run([sys.executable, "-c", "import torch; print(torch.__version__)"], check=True)
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    print(pool.map(square, [3]))
            """)
        self.assertEqual(run(script).stdout, b"1.13.1+stridescope\n[9]\n")

    def test_what_pythonpath_holds_stays(self):
        self.write("value = 1", "mine/module_of_mine.py")
        result = run("-c", "import module_of_mine, torch; print(module_of_mine.value, torch.__name__)",
                     env=environment(PYTHONPATH=os.path.join(self.folder, "mine")))
        self.assertEqual(result.stdout, b"1 stridescope\n")


class Interpreter(RunCase):
    def refused(self, identifier, *words, **keywords):
        result = run("-c", "print('ran')", **keywords)
        self.assertEqual((result.returncode, result.stdout), (127, b""))
        lines = result.stderr.decode().splitlines()
        self.assertIn(f"({identifier})", lines[0])
        for word in words:
            self.assertIn(word, result.stderr.decode())
        return lines

    def script_named(self, name, text):
        path = self.write(text, name)
        os.chmod(path, 0o755)
        return path

    def test_who_is_asked(self):
        code = "import sys; print(sys.executable)"
        ours = sys.executable.encode() + b"\n"
        variable = environment(STRIDESCOPE_PYTHON=sys.executable)
        self.assertEqual(run("-c", code, python=None, env=variable).stdout, ours)
        # The option wins over the variable.
        rubbish = environment(STRIDESCOPE_PYTHON="/nonexistent")
        self.assertEqual(run("-c", code, env=rubbish).stdout, ours)
        self.refused("PY-02", "/nonexistent", python=None, env=rubbish)
        # By name, from PATH.
        os.symlink(sys.executable, os.path.join(self.folder, "snake"))
        onpath = environment(PATH=self.folder)
        self.assertEqual(run("-c", "print(1)", python="snake", env=onpath).stdout, b"1\n")
        # One of another version on PATH is passed over, and without any the one of the build is taken.
        self.script_named("python3", "#!/bin/sh\necho CPython 3.9\n")
        self.assertEqual(run("-c", "print(2)", python=None, env=onpath).stdout, b"2\n")
        self.assertEqual(run("-c", "print(3)", python=None, env=environment(PATH="/nonexistent")).stdout, b"3\n")

    def test_one_with_numpy_is_preferred(self):
        onpath = environment(PATH=self.folder)

        def fake(numpy):
            self.script_named("python3", f"#!/bin/sh\ncase \"$*\" in *-S*) printf 'CPython 3.11\\nok\\n{numpy}\\n';; "
                              "*) echo fake;; esac\n")
        fake("numpy")
        self.assertEqual(run("-c", "print(1)", python=None, env=onpath).stdout, b"fake\n")
        fake("environment")  # somebody put it there
        self.assertEqual(run("-c", "print(1)", python=None, env=onpath).stdout, b"fake\n")
        fake("none")
        result = run("-c", "import numpy, sys; print(sys.executable)", python=None, env=onpath)
        self.assertEqual((result.stdout.decode().strip(), result.stderr), (sys.executable, b""))
        # The choice is not questioned.
        self.assertEqual(run("-c", "print(1)", python="python3", env=onpath).stdout, b"fake\n")
        self.assertEqual(run("-c", "print(1)", python=None, env=environment(
            STRIDESCOPE_PYTHON=os.path.join(self.folder, "python3"))).stdout, b"fake\n")
        # Said where a person reads it.
        master, slave = pty.openpty()
        subprocess.run([PROGRAM, "run", "-c", "pass"], stderr=slave, env=onpath, timeout=60)
        os.close(slave)
        told = os.read(master, 1000).decode()
        os.close(master)
        self.assertIn(f"'{sys.executable}' is used, as '{self.folder}/python3' has no NumPy", told)

    def test_how_numpy_is_found(self):
        venv = os.path.join(self.folder, "venv")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        onpath = environment(PATH=os.path.join(venv, "bin"))
        result = run("-c", "import sys; print(sys.prefix)", python=None, env=onpath)
        self.assertEqual(result.stdout.decode().strip(), venv)

    def test_refusals(self):
        self.refused("PY-02", "does not exist", "--python", python="/nonexistent/python")
        self.refused("PY-02", "no program on PATH", python="no-such-python")
        self.refused("PY-02", "not a program", python=self.folder)
        self.refused("PY-02", "not a program", python=self.write("", "not-executable"))
        self.refused("PY-03", "not a Python", python="/bin/true")
        old = self.script_named("old", "#!/bin/sh\necho CPython 3.9\n")
        self.refused("PY-03", "is CPython 3.9, needed is CPython 3.11", "apt-get", python=old)

    def test_wrong_arguments(self):
        for arguments in (["-I", "x.py"], ["-E", "x.py"], ["-BE", "x.py"], ["--python"]):
            result = subprocess.run([PROGRAM, "run", *arguments], capture_output=True, timeout=60)
            self.assertEqual(result.returncode, 2, arguments)
        text = subprocess.run([PROGRAM, "run", "--help"], capture_output=True, timeout=60).stdout.decode()
        for word in ("--python", "STRIDESCOPE_PYTHON", "127"):
            self.assertIn(word, text)

    def test_without_the_module(self):
        alone = os.path.join(self.folder, "bin", "stridescope")
        os.makedirs(os.path.dirname(alone))
        shutil.copy(PROGRAM, alone)
        self.refused("PY-01", "python3-dev", program=alone)

    def test_a_module_that_does_not_load(self):
        os.makedirs(os.path.join(self.folder, "bin"))
        program = shutil.copy(PROGRAM, os.path.join(self.folder, "bin", "stridescope"))
        package = os.path.join(self.folder, "python", "stridescope")
        shutil.copytree(os.path.join(BUILD, "python", "stridescope"), package,
                        ignore=shutil.ignore_patterns("_core.so"))
        with open(os.path.join(package, "_core.so"), "wb") as file:
            file.write(b"no library")
        self.refused("PY-05", package.removesuffix("/stridescope"), "ImportError", program=program)

    def test_the_program_itself_has_no_python_in_it(self):
        needed = subprocess.run(["ldd", PROGRAM], capture_output=True, timeout=60).stdout
        self.assertIn(b"libQt6Core", needed)
        self.assertNotIn(b"python", needed)


class Installed(RunCase):
    def test_it_runs_where_it_was_installed(self):
        cmake = shutil.which("cmake")
        if not cmake:
            self.skipTest("no cmake on PATH")
        prefix = os.path.join(self.folder, "prefix")
        subprocess.run([cmake, "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        program = os.path.join(prefix, "bin", "stridescope")
        moved = os.path.join(self.folder, "moved")  # nothing of it points to the build tree or to the first place
        os.rename(prefix, moved)
        program = os.path.join(moved, "bin", "stridescope")
        result = run("-c", textwrap.dedent(OurTensors.SCRIPT) + "print(torch.__file__)", program=program)
        self.assertEqual(result.stderr, b"")
        self.assertEqual(result.stdout.splitlines()[0] + b"\n", OurTensors.OUTPUT)
        self.assertTrue(result.stdout.splitlines()[1].startswith(moved.encode()), result.stdout)
        # The line in the .pth file leads to the package, from a folder that Python takes for a site folder.
        code = f"import site; site.addsitedir('{moved}/lib/python3.11/dist-packages'); import stridescope as s; " \
               "print(s.ones(2))"
        plain = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True)
        self.assertEqual(plain.stdout, b"tensor([1., 1.])\n", plain.stderr)


if __name__ == "__main__":
    unittest.main()
