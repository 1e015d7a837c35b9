#!/usr/bin/env python3
"""Makes the bundled fonts from Debian's fonts-inter and fonts-jetbrains-mono (needs python3-fonttools).

Inter Tabular: Inter with its tabular figures as the digits, without contextual alternates.
JetBrains Mono NL: JetBrains Mono without ligatures, so that "->", "!=" and ">>>" stay letters.
Both are cut down to the characters that the program shows.
"""
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

CHARACTERS = [
    *range(0x20, 0x7F), *range(0xA0, 0x180),                    # Latin, Latin-1, Latin Extended-A
    *range(0x370, 0x400),                                       # Greek
    *range(0x2010, 0x2028), *range(0x2030, 0x2035), 0x2039, 0x203A, 0x2044,  # punctuation
    *range(0x2070, 0x2090), 0x20AC,                             # superscripts, subscripts, euro
    *range(0x2190, 0x219A), 0x21A9, 0x21AA, 0x21B5, 0x21C4, 0x21D0, 0x21D2, 0x21E7,  # arrows
    *range(0x2200, 0x2280), 0x2295, 0x2297, 0x22C5, 0x22EE, 0x22EF, 0x27E8, 0x27E9,  # mathematics
    0x2318, 0x2500, 0x2502, 0x2514, 0x251C, 0x25A0, 0x25A1, 0x25B2, 0x25B6, 0x25BC, 0x25C0, 0x25CB, 0x25CF,
    0x2713, 0x2717, 0x26A0, 0xFFFD,
]

SOURCES = [
    ("/usr/share/fonts/opentype/inter/Inter-{}.otf", "Inter Tabular", "InterTabular", ("tnum",), "otf"),
    ("/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-{}.ttf", "JetBrains Mono NL", "JetBrainsMonoNL", (), "ttf"),
]
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600, "Bold": 700}


def single_substitutions(font, tag):
    table = font["GSUB"].table
    found = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != tag:
            continue
        for index in record.Feature.LookupListIndex:
            for sub in table.LookupList.Lookup[index].SubTable:
                sub = getattr(sub, "ExtSubTable", sub)
                found.update(getattr(sub, "mapping", {}))
    return found


def make(source, family, postscript, weight, baked, target):
    font = TTFont(source)
    for tag in baked:  # Qt 6.4 cannot ask for OpenType features, so the wanted glyphs become the default ones
        swap = single_substitutions(font, tag)
        for cmap in font["cmap"].tables:
            if cmap.isUnicode():
                for code in range(ord("0"), ord("9") + 1):
                    cmap.cmap[code] = swap.get(cmap.cmap[code], cmap.cmap[code])
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.hinting = False
    options.notdef_outline = True
    options.glyph_names = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    bold = weight == "Bold"
    names = {1: family, 2: "Bold" if bold else "Regular", 3: f"{postscript}-{weight}", 4: f"{family} {weight}",
             6: f"{postscript}-{weight}"}
    for number, text in names.items():
        font["name"].removeNames(nameID=number)
        font["name"].setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = WEIGHTS[weight]
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [f"{postscript}-{weight}"]
        top = cff.topDictIndex[0]
        top.FamilyName, top.FullName, top.Weight = family, f"{family} {weight}", weight
    font["head"].modified = font["head"].created  # the same input gives the same bytes
    font.recalcTimestamp = False
    font.save(target)
    print(target, Path(target).stat().st_size)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for pattern, family, postscript, baked, suffix in SOURCES:
        for weight in WEIGHTS:
            make(pattern.format(weight), family, postscript, weight, baked, folder / f"{postscript}-{weight}.{suffix}")


if __name__ == "__main__":
    main()
