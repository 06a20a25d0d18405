#!/bin/sh
# Installs what the browser, PostgreSQL, proxy, GTP and shell tests need beyond Python, where it is missing and can
# be had without a question: Debian's packages, as root or by sudo, and axe-core by npm into
# build/npm. What cannot be had is named, and the tests that need it are skipped; it never fails or
# waits long.
set -u
cd "$(dirname "$0")/.." || exit 1
mkdir -p build

LOCKED=tests/faces/web/npm
LOG=build/test_needs.log

have() { command -v "$1" >/dev/null 2>&1; }

have_postgresql() { have initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }

have_rhino() { have gtp-rhino || test -x /usr/games/gtp-rhino; }

have_nginx() { have nginx || test -x /usr/sbin/nginx; }

have_axe() {
    test -s build/npm/node_modules/axe-core/axe.min.js &&
        cmp -s $LOCKED/package-lock.json build/npm/package-lock.json
}

missing_packages() {
    have chromium || echo chromium
    have chromedriver || echo chromium-driver
    have_postgresql || echo postgresql
    have_rhino || echo grhino
    have_nginx || echo nginx-light
    have caddy || echo caddy
    have zsh || echo zsh
    have fish || echo fish
    have_axe || have npm || echo npm
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Only fetching is broken off when it takes too long; what is there is installed to the end.
install_packages() {
    have apt-get && as_root true 2>/dev/null || return
    echo "Installing for the browser, PostgreSQL, proxy, GTP and shell tests, from Debian:" "$@"
    bounds="-o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10"
    asked="-qq --yes --no-install-recommends -o DPkg::Lock::Timeout=60 install"
    # shellcheck disable=SC2086 # each word is an argument
    {
        as_root timeout 60 apt-get -q $bounds update
        for package in "$@"; do
            as_root timeout 180 apt-get $bounds $asked --download-only "$package" &&
                as_root env DEBIAN_FRONTEND=noninteractive apt-get $asked "$package"
        done
    } </dev/null >>$LOG 2>&1
}

fetch_axe() {
    have npm || return
    echo "Fetching axe-core into build/npm, which looks for what hinders people on a page."
    mkdir -p build/npm
    cp $LOCKED/package.json $LOCKED/package-lock.json build/npm/
    timeout 60 npm ci --prefix build/npm --ignore-scripts --no-audit --no-fund --loglevel=error \
        --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000 \
        </dev/null >>$LOG 2>&1
}

packages=$(missing_packages)
# shellcheck disable=SC2086 # each word is a package
[ -z "$packages" ] || install_packages $packages
have_axe || fetch_axe
left=$(missing_packages; have_axe || echo axe-core)
# shellcheck disable=SC2086 # all in one line
[ -z "$left" ] || echo "Not to be had, so that some tests cannot run (see $LOG if it is there):" $left
