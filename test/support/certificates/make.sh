#!/usr/bin/env bash
# Makes the certificates beside this file: one key for all servers, an authority that only tests trust, and what it has signed
# for localhost, for another host, and for localhost long ago. Nothing real is behind them.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index"
cat >"$work/config" <<END
[ca]
default_ca = tests
[tests]
database = $work/index
new_certs_dir = $work
rand_serial = yes
unique_subject = no
default_md = sha256
policy = anything
copy_extensions = copy
[anything]
commonName = supplied
END

sign() { # <file> <name> <key> <extension> <end> <more of openssl ca>
  openssl req -new -key "$3" -subj "/CN=$2" -addext "$4" -out "$work/request"
  openssl ca -batch -notext -config "$work/config" -in "$work/request" -out "$1" \
    -startdate 20200101000000Z -enddate "$5" "${@:6}" 2>/dev/null
}
signed() { sign "$1" "$2" server-key.pem "subjectAltName=DNS:$2" "$3" -cert authority.pem -keyfile "$work/authority-key"; }

openssl ecparam -name prime256v1 -genkey -noout -out "$work/authority-key"
openssl ecparam -name prime256v1 -genkey -noout -out server-key.pem
chmod 644 server-key.pem
sign authority.pem 'authority of the tests' "$work/authority-key" basicConstraints=critical,CA:TRUE 21200101000000Z \
  -selfsign -keyfile "$work/authority-key"
sign self-signed.pem localhost server-key.pem subjectAltName=DNS:localhost 21200101000000Z \
  -selfsign -keyfile server-key.pem
signed right.pem localhost 21200101000000Z
signed other-host.pem platform.example 21200101000000Z
signed expired.pem localhost 20200102000000Z
