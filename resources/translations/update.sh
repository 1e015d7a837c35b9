#!/usr/bin/env bash
# Brings the .ts files up to the sources: new texts come in unfinished, texts that are gone go out. Says how many are left to
# translate, and lists them. Wants Qt's lupdate (Debian: qt6-l10n-tools).
#   bash resources/translations/update.sh               all languages
#   bash resources/translations/update.sh --to FILE.ts  into another file, for comparing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lupdate=$(command -v lupdate6 || ls /usr/lib/qt6/bin/lupdate 2>/dev/null || command -v lupdate) || {
    echo "lupdate is missing: apt-get install qt6-l10n-tools" >&2
    exit 2
}
files=(resources/translations/*.ts)
if [ "${1:-}" = --to ]; then files=("${2:?--to needs a file}"); fi
# -I . : headers are included from the root of the repository; without them classes lose their namespace, by which the
# program asks for their texts.
"$lupdate" -silent -I . -locations none -no-obsolete app widgets -ts "${files[@]}" >/dev/null 2>&1
for file in "${files[@]}"; do
    echo "$file: $(grep -c 'type="unfinished"' "$file" || true) texts to translate"
    # Not translated yet, with the text in the line before.
    grep -B1 'type="unfinished"' "$file" | sed -n 's/^ *<source>\(.*\)<\/source>$/  \1/p'
done
