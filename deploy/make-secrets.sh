#!/bin/sh
# Makes the secrets that compose.yaml mounts, those that are not there yet, and names those that only you know:
#   sudo sh deploy/make-secrets.sh
# Readable by user 1000 alone, which the program runs as in its containers.
set -eu
umask 077
mkdir -p "$(dirname "$0")/secrets"
cd "$(dirname "$0")/secrets"

[ -s secret_key ] || openssl rand -base64 48 > secret_key
[ -s encryption_keys ] || echo "k1:$(openssl rand -base64 32)" > encryption_keys
[ -s meta_verify_token ] || openssl rand -hex 24 > meta_verify_token
if [ ! -s database_url ]; then
  openssl rand -hex 24 > database_password
  echo "postgres://creator_hq:$(cat database_password)@postgres:5432/creator_hq" > database_url
fi
if [ ! -s nats_url ]; then
  password=$(openssl rand -hex 24)
  # A part of the NATS servers' configuration. Without the quotes some of these passwords are read as numbers.
  echo "password: \"$password\"" > nats_password.conf
  echo "nats://creator-hq:$password@nats-1:4222,nats://nats-2:4222,nats://nats-3:4222" > nats_url
fi
if [ "$(id -u)" = 0 ]; then chown -R 1000:1000 .; fi

[ -s meta_app_secret ] || echo "Write the secret of your Meta app into $PWD/meta_app_secret (docs/meta-app.md)"
[ -s instagram_app_secret ] || echo "Write the secret of your Instagram app into $PWD/instagram_app_secret (docs/meta-app.md)"
[ -s smtp_url ] || echo "Write the address of your mail server into $PWD/smtp_url, like smtp://user:password@mail.example.com:587"
if [ "$(id -u)" != 0 ] && [ "$(id -u)" != 1000 ]; then echo "Then give all of them to user 1000: sudo chown -R 1000:1000 $PWD"; fi
