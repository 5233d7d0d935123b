#!/usr/bin/env bash
# Installs pgbouncer for the drill of that name, from Debian's packages. Does nothing where it is, or where apt-get is not for us.
set -euo pipefail
[ -x /usr/sbin/pgbouncer ] && exit 0
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || exit 0
export DEBIAN_FRONTEND=noninteractive
timeout 120 apt-get update -qq
timeout 120 apt-get install -y -qq --no-install-recommends pgbouncer
