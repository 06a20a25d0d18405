"""Solving into S3: the same bytes as in a folder, against an S3 server on this machine.

`python bench/disk_s3.py` needs `pip install 'moto[s3,server]' s3fs`, which the tests do without.
Two processes make the blocks, so workers write and read through the network as well.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import s3fs
from moto.server import ThreadedMotoServer

import parlour
from parlour.truth.disk import open_solution

GAMES = {
    "4x3, lines of 3": parlour.game("tictactoe", columns=4, rows=3),
    "4x4, lines of 4": parlour.game("tictactoe", columns=4, rows=4, line=4),
    "Othello on 4x4": parlour.game("othello", columns=4, rows=4),
}


def main() -> None:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {  # as for any other S3
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }
    system = s3fs.S3FileSystem()
    system.mkdir("solutions")
    with tempfile.TemporaryDirectory() as name:
        for number, (title, game) in enumerate(GAMES.items()):
            here, there = Path(name) / str(number), f"s3://solutions/{number}"
            parlour.solve(game, disk=here)
            began = time.perf_counter()
            parlour.solve(game, disk=there, workers=2)
            took = time.perf_counter() - began
            files = {
                path.relative_to(here).as_posix(): path.read_bytes()
                for path in here.rglob("*")
                if path.is_file()
            }
            base = f"solutions/{number}/"
            found = {each.removeprefix(base): system.cat_file(each) for each in system.find(base)}
            assert found == files, sorted(found.keys() ^ files.keys())
            assert open_solution(game, there).value(game.start()) == parlour.solve(game).value(
                game.start()
            )
            system.pipe_file(base + next(iter(files)), b"damaged")
            parlour.solve(game, disk=there)
            assert {each: system.cat_file(base + each) for each in files} == files
            print(f"{title}: {len(files)} files, the same bytes, in {took:.1f} s by the clock")
    server.stop()


if __name__ == "__main__":
    main()
