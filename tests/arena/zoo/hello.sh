#!/bin/sh
# A program that has never heard of a protocol
echo hello
cat > /dev/null
