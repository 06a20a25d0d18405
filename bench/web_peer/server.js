// The peer: a boardgame.io server with tic-tac-toe, which keeps its matches in a folder.
//
//     node server.js PORT FOLDER

"use strict";

const { INVALID_MOVE } = require("boardgame.io/core");
const { FlatFile, Server } = require("boardgame.io/server");

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"];

const lineOf = (cells) =>
  LINES.some((line) => {
    const [a, b, c] = [...line].map((square) => cells[square]);
    return a !== null && a === b && b === c;
  });

const ticTacToe = {
  name: "tic-tac-toe",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, square) => {
      if (G.cells[square] !== null) return INVALID_MOVE;
      G.cells[square] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (lineOf(G.cells)) return { winner: ctx.currentPlayer };
    if (!G.cells.includes(null)) return { draw: true };
  },
};

const [port, folder] = process.argv.slice(2);
const server = Server({
  games: [ticTacToe],
  origins: [`http://127.0.0.1:${port}`],
  db: new FlatFile({ dir: folder }),
});
server.run({ port: Number(port) });
