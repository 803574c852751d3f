#!/usr/bin/env bash
# Install what packages.txt lists when that can be done without asking anybody; else say what will not run.
set -euo pipefail
cd "$(dirname "$0")"

command -v dpkg-query >/dev/null || exit 0

missing=()
while read -r package; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done < <(grep -v '^#' packages.txt)
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
  echo "Not installed: ${missing[*]}"
  echo "What needs them will be listed as not run. To install: sudo apt-get install --no-install-recommends ${missing[*]}"
  exit 0
fi
echo "installing from Debian, which takes some minutes: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
