"""Fetches one file that is known by size and sum: over https alone, into a part file that becomes the file when it is
whole. What was fetched before an interruption is used the next time."""
import hashlib
import os
import urllib.error
import urllib.request
from urllib.parse import urlsplit

_BLOCK = 1 << 18
_STALL = 30  # seconds without a byte


class DownloadError(RuntimeError):
    """What came is not what was asked for, or nothing came. Nothing was kept that could be taken for the file."""


class _NoDowngrade(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req, fp, code, msg, headers, newurl):
        _require_https(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _require_https(url):
    if urlsplit(url).scheme != "https":
        raise DownloadError(f"{url[:80]}: only https is fetched from")


def md5_of(path, size=None):
    """The sum of a file; None for what is no file, or one of another size."""
    if not os.path.isfile(path) or (size is not None and os.path.getsize(path) != size):
        return None
    sums = hashlib.md5()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            sums.update(block)
    return sums.hexdigest()


def _open(url, start):
    request = urllib.request.Request(url, headers={"Accept-Encoding": "identity", "User-Agent": "stridescope"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    # The proxies and certificates of the system.
    return urllib.request.build_opener(_NoDowngrade).open(request, timeout=_STALL)


def _fetch(url, part, size, progress):
    """Adds what is missing to the part file."""
    start = os.path.getsize(part) if os.path.isfile(part) else 0
    if start >= size:
        start = 0
    with _open(url, start) as source:
        resumed = start and source.status == 206 and \
            source.headers.get("Content-Range", "").startswith(f"bytes {start}-")
        start = start if resumed else 0
        said = source.headers.get("Content-Length")
        if source.headers.get("Content-Encoding", "identity") != "identity":
            raise DownloadError(f"{url}: packed as {source.headers['Content-Encoding'][:20]}, which was not asked for")
        if said is not None and said.isdigit() and int(said) != size - start:
            raise DownloadError(f"{url}: has {int(said) + start} bytes, {size} are wanted")
        with open(part, "ab" if start else "wb") as file:
            have = start
            while block := source.read(min(_BLOCK, size + 1 - have)):
                file.write(block)
                have += len(block)
                progress(have, size)
                if have > size:
                    raise DownloadError(f"{url}: more than the {size} bytes that are wanted")
    if have < size:
        raise ConnectionError(f"ended after {have} of {size} bytes")


def fetch(url, target, size, md5, progress=lambda done, total: None):
    """Brings `url` to `target`, unless progress(done, size) raises. The old file stays until the new one is proven."""
    _require_https(url)
    part = target + ".part"
    host = urlsplit(url).hostname
    try:
        for again in (True, False):
            try:
                _fetch(url, part, size, progress)
                break
            except urllib.error.HTTPError as error:
                # 416: the part file does not fit what is there now.
                if error.code != 416 or not again:
                    raise DownloadError(f"{host} answered {error.code} {str(error.reason)[:60]}") from None
                os.remove(part)
    except urllib.error.URLError as error:
        raise DownloadError(f"could not reach {host}: {str(error.reason)[:100]}. Choose a file that you have instead") \
            from None
    except DownloadError:
        _remove(part)
        raise
    except (ConnectionError, TimeoutError) as error:
        raise DownloadError(f"the download from {host} {error or 'stalled'}; the next one goes on from there") from None
    except OSError as error:
        if error.errno is None:  # of the protocol
            raise DownloadError(f"the download from {host} failed: {error}") from None
        _remove(part)  # the disk is full
        raise
    found = md5_of(part)
    if found != md5:
        _remove(part)
        raise DownloadError(f"{os.path.basename(target)} has MD5 {found}, published is {md5}; it was removed")
    os.replace(part, target)


def _remove(path):
    if os.path.exists(path):
        os.remove(path)
