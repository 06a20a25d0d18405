#!/bin/bash
# Carry out the steps of the Dockerfile without Docker: each stage is a Debian made by mmdebstrap, each
# RUN is run in it, each COPY copies, and last the server is started as the user it names, asked for
# /readyz and the first page, and stopped. It needs root, mmdebstrap and a mirror of Debian; the
# folder it works in is removed at the end.
#
#     tools/check_dockerfile.sh [APT-SOURCES]      (default: those of this computer)

set -euo pipefail
cd "$(dirname "$0")/.."
sources=${1:-}
work=$(mktemp --directory --tmpdir parlour-docker.XXXXXX)
server=
clean() {
    [ -z "$server" ] || kill -- -"$server" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap clean EXIT

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
stage= from= user=root environment=() command=

inside() { # run a shell command in the present stage
    env --ignore-environment PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root PIP_CERT=/trusted.pem \
        ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} "${environment[@]}" \
        chroot "$work/$stage" /bin/sh -c "$1"
}

make_base() { # one Debian, copied for each stage
    local suite=$1
    [ -d "$work/base" ] && return
    echo "== Debian $suite"
    mmdebstrap --quiet --variant=minbase "$suite" "$work/base" ${sources:+"$sources"}
    cp /etc/resolv.conf "$work/base/etc/resolv.conf" 2>/dev/null || true
    # What this computer trusts, and how its pip finds packages: it may be behind a proxy.
    cp -L "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$work/base/trusted.pem" || true
    cp /etc/pip.conf "$work/base/etc/pip.conf" 2>/dev/null || true
}

while IFS= read -r line; do
    word=${line%% *} rest=${line#* }
    case $word in
    FROM)
        image=${rest%% *} name=${rest##* }
        [ "$name" = "$image" ] && name=final
        suite=${image#debian:}
        make_base "${suite%-slim}"
        stage=$name environment=() user=root
        cp --archive "$work/base" "$work/$stage"
        echo "== stage $stage"
        ;;
    RUN)
        echo "== RUN $rest"
        inside "$rest"
        ;;
    COPY)
        if [[ $rest == --from=* ]]; then
            read -r from path target <<<"$rest"
            mkdir -p "$work/$stage$(dirname "$target")"
            cp --archive "$work/${from#--from=}$path" "$work/$stage$target"
        else
            read -r path target <<<"$rest"
            mkdir -p "$work/$stage$target"
            git ls-files -z "$path" | xargs -0 tar --create | tar --extract --directory "$work/$stage$target"
        fi
        ;;
    ENV) read -ra more <<<"$rest"; environment+=("${more[@]}") ;;
    USER) user=$rest ;;
    CMD) command=$rest ;;
    WORKDIR | VOLUME | EXPOSE | STOPSIGNAL | HEALTHCHECK) ;;
    *) echo "an instruction this script does not know: $word" >&2; exit 1 ;;
    esac
done < <(sed -e '/^\s*#/d' -e '/^\s*$/d' Dockerfile | sed -e ':a' -e '/\\$/N; s/\\\n */ /; ta')

echo "== CMD as $user at port $port"
readarray -t words < <(python3 -c 'import json, sys; print("\n".join(json.loads(sys.argv[1])))' "$command")
words=("${words[@]/#8000/$port}")
mount_proc() { mkdir -p "$work/$stage/proc"; mount -t proc proc "$work/$stage/proc" 2>/dev/null && trap 'umount "$work/$stage/proc"; clean' EXIT; }
mount_proc || true
setsid env --ignore-environment "${environment[@]}" \
    "$(command -v chroot)" --userspec="$user" "$work/$stage" /bin/sh -c 'cd /data && exec "$@"' sh "${words[@]}" &
server=$!
for _ in $(seq 600); do
    if curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; then ready=yes; break; fi
    kill -0 "$server" 2>/dev/null || { echo "the server ended" >&2; exit 1; }
    sleep 0.2
done
[ "${ready:-}" = yes ] || { echo "the server is not ready" >&2; exit 1; }
page=$(curl --silent --fail "http://127.0.0.1:$port/")
[[ $page == *"<title>"* ]] || { echo "there is no first page" >&2; exit 1; }
curl --silent --fail "http://127.0.0.1:$port/readyz"; echo
who=$(stat --format %u "/proc/$server")
[ "$who" != 0 ] || { echo "the server runs as root" >&2; exit 1; }
kill -TERM "$server"
wait "$server" || { echo "the server did not stop well" >&2; exit 1; }
server=
files=$(cd "$work/$stage/data/parlour" && echo parlour.sqlite*)
[ "$files" = parlour.sqlite ] || { echo "the database is not one file: $files" >&2; exit 1; }
echo "== well: served as user $who and stopped; $(du --summarize --block-size=M --exclude=proc "$work/$stage" | cut -f1) in the final stage"
