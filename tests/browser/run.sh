#!/usr/bin/env bash
# Runs the browser tests: run.sh PROGRAM FOLDER. FOLDER keeps what npm installs. Where chromium,
# node or npm is missing the tests are skipped (exit code 77), but not in CI.
set -euo pipefail
program=$1 folder=$2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
missing=()
[[ -n $CHROMIUM ]] || missing+=(chromium)
for tool in node npm; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if ((${#missing[@]} > 0)); then
  echo "the browser tests need what is missing here: ${missing[*]}"
  [[ -z ${CI-} ]] || exit 1
  exit 77
fi

mkdir -p -- "$folder"
cp -- "$here"/package.json "$here"/package-lock.json "$here"/*.mjs "$folder"
cd -- "$folder"
if ! cmp -s package-lock.json node_modules/installed-lock.json; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  cp package-lock.json node_modules/installed-lock.json
fi
CHROMIUM=$CHROMIUM PROGRAM=$program exec node --test reports_test.mjs
