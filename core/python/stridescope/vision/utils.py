"""torchvision.utils: many images as one, and one as a file."""
import os

from .. import _core


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """make_grid(tensor, nrow=8, padding=2, …) -> Tensor

    Images {n, c, h, w} (or a list of {c, h, w}, or one) side by side, nrow in a row, with `padding` pixels around each.
    One channel becomes three."""
    if isinstance(tensor, (list, tuple)):
        for item in tensor:
            if not isinstance(item, _core.Tensor):
                raise TypeError(f"tensor or list of tensors expected, got a list containing {type(item)}")
        tensor = _core.stack(list(tensor), 0)
    if not isinstance(tensor, _core.Tensor):
        raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
    if value_range is not None and not isinstance(value_range, tuple):
        raise TypeError("value_range has to be a tuple (min, max) if specified. min and max are numbers")
    low, high = value_range if value_range is not None else (None, None)
    return _core._make_grid(tensor, nrow, padding, normalize, low, high, scale_each, pad_value)


def save_image(tensor, fp, format=None, **kwargs):
    """save_image(tensor, fp, format=None, **kwargs): make_grid(tensor, **kwargs) as a PNG, JPEG, BMP or TGA file.

    The format is `format`, or told by the ending of the name. Values from 0 to 1 become 0 to 255; what lies outside is
    cut off."""
    path = isinstance(fp, (str, os.PathLike))
    kind = format or (os.path.splitext(os.fspath(fp))[1][1:] if path else "png")
    image = _core._image_bytes(make_grid(tensor, **kwargs))
    if path:
        _core._save_image(image, kind, os.fspath(fp))
    else:
        fp.write(_core._encode_image(image, kind))
