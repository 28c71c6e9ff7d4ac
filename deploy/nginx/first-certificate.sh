#!/bin/sh
# The image of nginx runs this before nginx, which does not start without a certificate. Browsers warn of this one: replace
# both files by real ones (docs/operations.md). Files that exist are never changed.
set -eu
folder=${1:-/etc/nginx/certificates}
if [ -e "$folder/fullchain.pem" ] || [ -e "$folder/privkey.pem" ]; then exit 0; fi
host=${PUBLIC_ORIGIN#*://}
host=${host%%[:/]*}
umask 077
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 \
    -subj '/CN=Z!mmer, the first certificate' -addext "subjectAltName=DNS:$host" \
    -keyout "$folder/privkey.new" -out "$folder/fullchain.new"
# Both or none, when this is stopped meanwhile.
mv "$folder/privkey.new" "$folder/privkey.pem"
mv "$folder/fullchain.new" "$folder/fullchain.pem"
