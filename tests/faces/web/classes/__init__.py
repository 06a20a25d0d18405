"""Tests of classes on the web."""
