#!/usr/bin/env bash
# Installs Tryton 6.0 for the tests, from Debian's packages. Does nothing where they are, or where apt-get is not for us.
set -euo pipefail
[ -x /usr/bin/trytond ] && exit 0
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || exit 0
export DEBIAN_FRONTEND=noninteractive
timeout 120 apt-get update -qq
timeout 120 apt-get install -y -qq --no-install-recommends \
  tryton-server tryton-modules-account tryton-modules-analytic-account python3-psycopg2 python3-tz
