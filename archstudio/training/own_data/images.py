"""Reads a folder of images, one folder inside for each class, brought to the size the graph takes (extra `images`)."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from archstudio.files.unusable import UnusableFile
from archstudio.training.own_data.columns import IMAGE_COLUMN, LABEL_COLUMN, Column, Columns, check_size

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
_MAX_PIXELS = 64 * 2**20
"""A picture above this is refused unread: a small file may unpack to gigabytes."""


def read_images(folder: Path, shape: tuple[int, ...] | None) -> Columns:
    """Return the pictures as float32 (samples, channels, height, width) between 0 and 1, and their folders' names.

    `shape` is one sample's; pictures are converted to its channels and resized to it. Raises `UnusableFile`.
    """
    shape = _checked(folder, shape)
    found = [(path, path.parent.name) for path in sorted(folder.glob("*/*")) if path.suffix.lower() in SUFFIXES]
    if not found:
        remedy = "Put the images of each class into a folder of its own, named after the class."
        raise UnusableFile(str(folder), problem="There are no folders of images in it", remedy=remedy)
    check_size(folder, 4 * prod(shape) * len(found))
    pixels = np.empty((len(found), *shape), np.float32)
    image_module = _pillow()
    for row, (path, _) in enumerate(found):
        pixels[row] = _one(image_module, path, shape)
    labels = np.array([label for _, label in found], dtype=np.str_)
    return Columns(folder, (Column(IMAGE_COLUMN, pixels), Column(LABEL_COLUMN, labels)))


def one_image(path: Path, shape: tuple[int, ...] | None) -> Columns:
    """Return one picture as the only sample, read as those of a folder are; raises `UnusableFile`."""
    shape = _checked(path, shape)
    return Columns(path, (Column(IMAGE_COLUMN, np.asarray(_one(_pillow(), path, shape), np.float32)[None]),))


def _checked(path: Path, shape: tuple[int, ...] | None) -> tuple[int, ...]:
    if shape is None or len(shape) != 3 or shape[0] not in _MODES:
        remedy = "The graph's input must be channels × height × width with 1, 3 or 4 channels."
        raise UnusableFile(str(path), problem="Images fit no input of this graph", value=str(shape), remedy=remedy)
    return shape


def _one(pillow: Any, path: Path, shape: tuple[int, ...]) -> Any:
    channels, height, width = shape
    try:
        with pillow.open(path) as image:
            if image.width * image.height > _MAX_PIXELS:
                problem = f"The picture has {image.width:,} × {image.height:,} pixels"
                raise UnusableFile(str(path), problem=problem, remedy="Make it smaller.")
            fitted = image.convert(_MODES[channels])
            if fitted.size != (width, height):
                fitted = fitted.resize((width, height), pillow.Resampling.BILINEAR)
            pixels = np.asarray(fitted, np.float32) / 255
    except (OSError, ValueError, pillow.DecompressionBombError) as error:
        problem = f"The picture cannot be read: {error}"
        raise UnusableFile(str(path), problem=problem, remedy="Repair it or take it out of the folder.") from error
    return pixels.reshape(height, width, channels).transpose(2, 0, 1)


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        remedy = "Install it with: pip install archstudio[images]"
        raise UnusableFile("images", problem="Reading pictures needs the library Pillow", remedy=remedy) from error
    return Image
