"""Exact values and the reasons for them: closed forms, retrograde analysis, proof search."""
