"""Downloads from a server on this machine that does all that servers do wrong, and what is left on the disk then."""
import contextlib
import hashlib
import http.server
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.request
from unittest import mock

from stridescope.vision import _download
from stridescope.vision._download import DownloadError, fetch

CONTENT = bytes(range(256)) * 4096  # a megabyte
MD5 = hashlib.md5(CONTENT).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def answer(self, code, body=b"", length=None, **headers):
        self.send_response(code)
        if length is not False:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def do_GET(self):
        self.server.requests.append((self.path, self.headers.get("Range")))
        getattr(self, self.path.strip("/"))()

    def whole(self):
        self.answer(200, CONTENT)

    def ranged(self):
        start = int((self.headers.get("Range") or "bytes=0-")[6:-1])
        if start == 0:
            return self.whole()
        self.answer(206, CONTENT[start:], Content_Range=f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")

    def wrong_range(self):
        self.answer(206, CONTENT[1:], Content_Range=f"bytes 1-{len(CONTENT) - 1}/{len(CONTENT)}")

    def refuses_range(self):
        if self.headers.get("Range"):
            return self.answer(416)
        self.whole()

    def truncated(self):
        self.answer(200, CONTENT[:500_000], length=len(CONTENT))

    def truncated_unsaid(self):
        self.answer(200, CONTENT[:500_000], length=False)

    def endless(self):
        self.answer(200, CONTENT * 3, length=False)

    def other_length(self):
        self.answer(200, CONTENT + b"x")

    def packed(self):
        self.answer(200, CONTENT, Content_Encoding="gzip")

    def other_content(self):
        self.answer(200, CONTENT[:-1] + b"x")

    def missing(self):
        self.answer(404)

    def broken(self):
        self.answer(500)

    def to_http(self):
        self.answer(302, Location=f"http://127.0.0.1:{self.server.server_port}/whole")

    def to_https(self):
        self.answer(302, Location=f"https://localhost:{self.server.server_port}/whole")

    def round(self):
        self.answer(302, Location="/round")

    def stalled(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(b"abc")
        self.wfile.flush()
        self.server.release.wait(20)


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the server's certificate")
class Downloads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.key, cls.certificate = (os.path.join(cls.folder.name, name) for name in ("key.pem", "cert.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", cls.key, "-out", cls.certificate],
                       check=True, capture_output=True)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cls.certificate, cls.key)
        cls.server.socket = context.wrap_socket(cls.server.socket, server_side=True)
        cls.server.handle_error = lambda *_: None  # clients that go away are the tests' own
        cls.server.release = threading.Event()
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.release.set()
        cls.server.shutdown()
        cls.server.server_close()
        cls.folder.cleanup()

    def setUp(self):
        self.server.requests = []
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.target = os.path.join(folder.name, "set.tar.gz")
        trusted = mock.patch.dict(os.environ, {"SSL_CERT_FILE": self.certificate})
        trusted.start()
        self.addCleanup(trusted.stop)

    def url(self, path, host="localhost"):
        return f"https://{host}:{self.server.server_port}/{path}"

    def get(self, path, **more):
        fetch(self.url(path), self.target, len(CONTENT), MD5, **more)

    def left(self):
        return sorted(os.listdir(os.path.dirname(self.target)))

    def refused(self, path, words):
        with self.assertRaisesRegex(DownloadError, words):
            self.get(path)

    def test_whole(self):
        told = []
        self.get("whole", progress=lambda done, size: told.append((done, size)))
        with open(self.target, "rb") as file:
            self.assertEqual(file.read(), CONTENT)
        self.assertEqual(self.left(), ["set.tar.gz"])
        self.assertEqual(told[-1], (len(CONTENT), len(CONTENT)))
        self.get("to_https")

    def test_http_is_not_used(self):
        with self.assertRaisesRegex(DownloadError, "only https"):
            fetch(f"http://localhost:{self.server.server_port}/whole", self.target, len(CONTENT), MD5)
        with self.assertRaisesRegex(DownloadError, "only https"):
            fetch("file:///etc/passwd", self.target, len(CONTENT), MD5)
        self.assertEqual(self.server.requests, [])
        self.refused("to_http", "only https")
        self.assertEqual([path for path, _ in self.server.requests], ["/to_http"])
        self.assertEqual(self.left(), [])

    def test_certificates(self):
        with self.assertRaisesRegex(DownloadError, "could not reach 127.0.0.1.*certificate"):
            fetch(self.url("whole", "127.0.0.1"), self.target, len(CONTENT), MD5)  # another host than certified
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": "/dev/null"}):
            self.refused("whole", "could not reach localhost.*certificate")  # certified by nobody
        self.assertEqual((self.server.requests, self.left()), ([], []))

    def test_refusals(self):
        for path, words in (("missing", "answered 404"), ("broken", "answered 500"), ("other_length", "has 1048577 bytes"),
                            ("endless", "more than the 1048576"), ("packed", "packed as gzip"), ("round", "answered 302")):
            with self.subTest(path):
                self.refused(path, words)
                self.assertEqual(self.left(), [])

    def test_wrong_sum(self):
        self.refused("other_content", f"MD5 [0-9a-f]{{32}}, published is {MD5}")
        self.assertEqual(self.left(), [])

    def test_goes_on_where_it_stopped(self):
        for path in ("truncated", "truncated_unsaid"):
            self.refused(path, "the next one goes on")
            self.assertEqual(self.left(), ["set.tar.gz.part"])
            self.assertEqual(os.path.getsize(self.target + ".part"), 500_000)
            self.server.requests.clear()
        self.get("ranged")
        self.assertEqual(self.server.requests, [("/ranged", "bytes=500000-")])
        self.assertEqual(_download.md5_of(self.target), MD5)

    def test_servers_without_ranges(self):
        for path in ("whole", "refuses_range"):
            with open(self.target + ".part", "wb") as file:
                file.write(b"something else")
            self.get(path)
            self.assertEqual((_download.md5_of(self.target), self.left()), (MD5, ["set.tar.gz"]))
        with open(self.target + ".part", "wb") as file:
            file.write(CONTENT[:1000])
        self.refused("wrong_range", "has 1048575 bytes")
        with open(self.target + ".part", "wb") as file:
            file.write(CONTENT + b"xxx")
        self.get("ranged")
        self.assertEqual(_download.md5_of(self.target), MD5)

    def test_stall_and_cancel(self):
        with mock.patch.object(_download, "_STALL", 0.3):
            self.refused("stalled", "goes on from there")

        def cancel(done, size):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            self.get("whole", progress=cancel)
        self.assertNotIn("set.tar.gz", self.left())

    def test_no_network(self):
        with self.assertRaisesRegex(DownloadError, "could not reach nowhere.invalid.*Choose a file"):
            fetch("https://nowhere.invalid/x", self.target, 1, MD5)
        with self.assertRaisesRegex(DownloadError, "could not reach localhost"):
            fetch("https://localhost:1/x", self.target, 1, MD5)

    def test_full_disk(self):
        real = open

        def opened(path, mode="r", *more, **others):
            return real("/dev/full", "wb", 0) if str(path).endswith(".part") and mode != "rb" else real(path, mode, *more, **others)
        with mock.patch("builtins.open", opened), self.assertRaises(OSError):
            self.get("whole")
        self.assertEqual(self.left(), [])

    def test_the_old_file_stays(self):
        with open(self.target, "wb") as file:
            file.write(b"old")
        self.refused("other_content", "MD5")
        with open(self.target, "rb") as file:
            self.assertEqual(file.read(), b"old")


if __name__ == "__main__":
    unittest.main()
