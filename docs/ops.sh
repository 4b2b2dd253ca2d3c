#!/usr/bin/env bash
# Prints docs/ops.md, the list of all ops and layers, from the registers and the headers:
#
#   docs/ops.sh > docs/ops.md
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
export LC_ALL=C

# summaries FILE DECLARATION: for each line that matches and has a docstring above it, the line, a
# tab, and the docstring's first sentence without references to papers.
summaries() {
  awk -v declaration="$2" '
    /^ *\/\/\// {
      sub(/^ *\/\/\/ ?/, "")
      if ($0 == "") ended = 1
      if (!ended) text = text (text == "" ? "" : " ") $0
      next
    }
    $0 ~ declaration && text != "" {
      gsub(/ \([A-Z][^()]*[12][0-9][0-9][0-9][^()]*\)/, "", text)
      if (match(text, /[.:]( |$)/)) text = substr(text, 1, RSTART - 1) "."
      gsub(/\|/, "\\|", text)
      print $0 "\t" text
    }
    /^template|^requires/ { next }
    { text = ""; ended = 0 }' "$1"
}

# registered FILE MACRO
registered() { sed -n "s/^$2(\([a-z0-9_]*\)).*/\1/p" "$1"; }

row() { printf '| [`%s`](../%s) | %s |\n' "$@"; }

ops() {
  local name found
  while read -r name; do
    found=$(summaries "autograd/ops/$name.h" "[> ]${name}[(]" | head -n 1)
    [[ -n $found ]] || { echo "autograd/ops/$name.h: $name() has no docstring" >&2; exit 1; }
    row "$name" "autograd/ops/$name.h" "${found#*$'\t'}"
  done < <(registered autograd/op_register.inc TAPEHEAD_OP)
}

# A header of a layer may hold several classes, and short names for some.
layers() {
  local name found line text
  while read -r name; do
    found=$(summaries "layers/$name.h" "^(class|using [A-Z]+ =)")
    [[ -n $found ]] || { echo "layers/$name.h: no class has a docstring" >&2; exit 1; }
    while IFS=$'\t' read -r line text; do
      line=${line#* }
      row "${line%%[ :\{]*}" "layers/$name.h" "$text"
    done <<<"$found"
  done < <(registered layers/layer_register.inc TAPEHEAD_LAYER)
}

cat <<'END'
# Ops and layers

Every one of them is checked by `tapehead gradcheck`. Formulas, shapes and errors stand in the
headers. This page is written by `docs/ops.sh`.

## Ops

| op | |
| --- | --- |
END
ops
if [[ -e layers/layer_register.inc ]]; then
  printf '\n## Layers\n\n| layer | |\n| --- | --- |\n'
  layers
fi
