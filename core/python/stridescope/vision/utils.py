"""torchvision.utils: many images as one, and one as a PNG file."""
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
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        tensor = (_core.cat((tensor, tensor, tensor), 0) if tensor.size(0) == 1 else tensor).unsqueeze(0)
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = _core.cat((tensor, tensor, tensor), 1)
    if normalize:
        tensor = tensor.clone()
        for image in tensor if scale_each else [tensor]:
            low, high = value_range if value_range is not None else (float(image.min()), float(image.max()))
            image.clamp_(low, high).sub_(low).div_(max(high - low, 1e-5))
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    count = tensor.size(0)
    across = min(nrow, count)
    down = -(-count // across)
    height, width = tensor.size(2) + padding, tensor.size(3) + padding
    grid = tensor.new_full((tensor.size(1), height * down + padding, width * across + padding), pad_value)
    for k in range(count):
        y, x = divmod(k, across)
        place = grid.narrow(1, y * height + padding, height - padding)
        place.narrow(2, x * width + padding, width - padding).copy_(tensor[k])
    return grid


def save_image(tensor, fp, format=None, **kwargs):
    """save_image(tensor, fp, format=None, **kwargs): make_grid(tensor, **kwargs) as a PNG file.

    Values from 0 to 1 become 0 to 255; what lies outside is cut off."""
    kind = (format or (os.path.splitext(os.fspath(fp))[1][1:] if isinstance(fp, (str, os.PathLike)) else "png")).lower()
    if kind != "png":
        raise ValueError(f"save_image: '{kind}' is not written here; use a name that ends in .png")
    grid = make_grid(tensor, **kwargs)
    pixels = grid.mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to(_core.uint8)
    data = _core._png_bytes(pixels.contiguous())
    if hasattr(fp, "write"):
        fp.write(data)
        return
    with open(fp, "wb") as file:
        file.write(data)
