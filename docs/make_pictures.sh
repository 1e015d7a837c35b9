#!/usr/bin/env bash
# Makes the pictures of the guides with the program itself: bash docs/make_pictures.sh [PROGRAM]
# The same program gives the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${1:-build/release/bin/stridescope}
[ -x "$program" ] || { echo "Build first: bash app/run --version" >&2; exit 2; }
draw() { "$program" render "$@"; }
out=docs/images
draw --demo views --size 1180x700 -o $out/guide-views.png
draw --demo view-fails -o $out/view-fails.png
draw --code "A = torch.arange(12).view(3, 4); B = A.t()" --show A,B --select B --pick 1,2 --size 760x640 -o $out/guide-transpose.png
draw --figure broadcast --line "torch.arange(4).view(4, 1) + torch.arange(5)" --size 1180x760 -o $out/guide-broadcast.png
draw --figure motion --code "x = torch.arange(6).view(2, 3)" --line "x.sum(0)" --frame 0.45 --size 700x620 -o $out/guide-motion.png
