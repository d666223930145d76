#!/usr/bin/env bash
# push.sh LAYOUT IMAGE VERSION [TAG...]: push an OCI layout as IMAGE:VERSION and let the other tags point to it. A version
# that is out already stays as it is: pushing other bytes under it fails. The digests go to standard output, as NAME=DIGEST.
set -euo pipefail
layout=$(cd "$1" && pwd) image=$2 version=$3
shift 3
crane() { go -C "$(dirname "$0")" tool crane "$@"; }

index=$(sed -n 's/.*"digest": *"\(sha256:[0-9a-f]*\)".*/\1/p' "$layout/index.json")
if out=$(crane digest "$image:$version" 2>/dev/null) && [ "$out" != "$index" ]; then
	echo "error: $image:$version is out as $out, and this is $index; a version never changes, take the next one" >&2
	exit 1
fi
crane push "$layout" "$image:$version" >&2
for tag in "$@"; do
	crane tag "$image@$index" "$tag" >&2
done
echo "digest=$index"
for arch in amd64 arm64; do
	echo "digest-$arch=$(crane digest --platform "linux/$arch" "$image@$index")"
done
