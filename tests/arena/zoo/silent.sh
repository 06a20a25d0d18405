#!/bin/sh
# A program that listens
cat > /dev/null
