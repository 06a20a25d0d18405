// How a game of tic-tac-toe is played at each of the servers: the same three verbs, three protocols.
//
// `open()` makes a table with both seats taken; `connect(table, seat, seen)` opens the connection of
// one seat, calls `seen(n)` whenever it is told that n moves have been made, and gives back
// `{count, move(square, n), close()}`; a refusal goes to `this.refused`.

"use strict";

const http = require("node:http");
const WebSocket = require("ws");

const kept = new http.Agent({ keepAlive: true, maxSockets: 8 });

/** The answer to one request: `{status, headers, text}`; a busy server is asked again. */
async function ask(url, { method = "GET", headers = {}, body, agent = kept } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await new Promise((resolve, reject) => {
      const request = http.request(url, { method, headers, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => (text += part));
        response.on("end", () => {
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
        response.on("error", reject);
      });
      request.on("error", reject);
      request.end(body);
    }).catch((error) => ({ status: 0, headers: {}, text: String(error) }));
    if (answer.status !== 429 && (answer.status !== 0 || method !== "GET")) return answer;
    if (tries === 50) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The answer to a request that must succeed. */
async function need(url, options) {
  const answer = await ask(url, options);
  if (answer.status < 200 || answer.status > 399) {
    throw new Error(`${url}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
  return answer;
}

async function post(url, thing, headers = {}) {
  const body = JSON.stringify(thing);
  const all = { "content-type": "application/json", ...headers };
  return JSON.parse((await need(url, { method: "POST", headers: all, body })).text);
}

/** A WebSocket whose messages go to `hear`; settled when `hear` first says that it is ready. */
function socket(url, headers, hear) {
  return new Promise((resolve, reject) => {
    const made = new WebSocket(url, { headers, perMessageDeflate: false, skipUTF8Validation: true });
    made.on("message", (data) => {
      if (hear(made, data.toString())) resolve(made);
    });
    made.on("error", reject);
    made.on("close", () => reject(new Error(`${url} was closed`)));
  });
}

/** boardgame.io: socket.io straight over a WebSocket, without its first rounds of polling. */
class Peer {
  constructor(base) {
    this.base = base;
    this.games = `${base}/games/tic-tac-toe`;
    this.refused = () => {};
  }

  async open() {
    const { matchID: id } = await post(`${this.games}/create`, { numPlayers: 2 });
    const keys = [];
    for (const [playerID, playerName] of [["0", "Ann"], ["1", "Ben"]]) {
      const joined = await post(`${this.games}/${id}/join`, { playerID, playerName });
      keys.push(joined.playerCredentials);
    }
    return { id, keys };
  }

  async connect({ id, keys }, seat, seen) {
    const player = String(seat);
    const made = { count: 0 };
    const say = (to, ...event) => to.send(`42/tic-tac-toe,${JSON.stringify(event)}`);
    const url = `${this.base.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
    let stateID = 0;
    const to = await socket(url, {}, (from, text) => {
      if (text[0] === "0") from.send("40/tic-tac-toe,");
      else if (text === "2") from.send("3");
      else if (text.startsWith("40")) say(from, "sync", id, player, keys[seat], 2);
      else if (text.startsWith("42")) {
        const [kind, , told] = JSON.parse(text.slice(text.indexOf(",") + 1));
        if (kind !== "sync" && kind !== "update") return false;
        const state = kind === "sync" ? told.state : told;
        stateID = state._stateID;
        made.count = state.G.cells.filter((mark) => mark !== null).length;
        seen(made.count);
        return true;
      } else if (text.startsWith("44")) this.refused(text);
      return false;
    });
    made.move = (square) => {
      const payload = { type: "mark", args: [square], playerID: player, credentials: keys[seat] };
      say(to, "update", { type: "MAKE_MOVE", payload }, stateID, id, player);
    };
    made.close = () => to.terminate();
    return made;
  }
}

const written = (square) => "abc"[square % 3] + (Math.floor(square / 3) + 1);

const tableOf = (base) =>
  post(`${base}/api/tables`, {
    game: "tictactoe",
    listed: false, // the lobby takes only so many
    options: {},
    seats: [{ kind: "open" }, { kind: "open" }],
  });

/** Parlour's API: a token for each seat, states and moves on one WebSocket. */
class Api {
  constructor(base) {
    this.base = base;
    this.refused = () => {};
  }

  async open() {
    const { id } = await tableOf(this.base);
    const keys = [];
    for (const [seat, name] of ["Ann", "Ben"].entries()) {
      keys.push((await post(`${this.base}/api/tables/${id}/seats/${seat}`, { name })).token);
    }
    return { id, keys };
  }

  async connect({ id, keys }, seat, seen) {
    const made = { count: 0 };
    const url = `${this.base.replace("http", "ws")}/api/tables/${id}/stream`;
    const to = await socket(url, { authorization: `Bearer ${keys[seat]}` }, (_, text) => {
      const told = JSON.parse(text);
      if (told.status >= 400) this.refused(text);
      if (!Array.isArray(told.moves)) return false;
      made.count = told.moves.length;
      seen(made.count);
      return true;
    });
    made.move = (square, at) => to.send(JSON.stringify({ move: written(square), at }));
    made.close = () => to.terminate();
    return made;
  }
}

/** Parlour's pages, as a browser has them: a cookie, the live WebSocket, moves sent as forms. */
class Pages {
  constructor(base) {
    this.base = base;
    this.refused = () => {};
  }

  async open() {
    const { id } = await tableOf(this.base);
    const url = `${this.base}/tables/${id}`;
    const keys = [];
    for (const [seat, name] of ["Ann", "Ben"].entries()) {
      const cookies = (await need(url, { headers: { accept: "text/html" } })).headers["set-cookie"];
      const cookie = (cookies || []).map((each) => each.split(";")[0]).join("; ");
      await need(`${url}/sit`, this._form(cookie, { seat, name }));
      keys.push(cookie);
    }
    return { id, keys };
  }

  _form(cookie, fields) {
    const headers = {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      cookie,
      origin: this.base,
    };
    return { method: "POST", headers, body: new URLSearchParams(fields).toString() };
  }

  async connect({ id, keys }, seat, seen) {
    const url = `${this.base}/tables/${id}`;
    const cookie = keys[seat];
    const { text } = await need(url, { headers: { accept: "text/html", cookie } });
    const have = Number(/data-version="(\d+)"/.exec(text)[1]);
    const made = { count: 0 };
    const live = `${this.base.replace("http", "ws")}/live?topic=table:${id}&have=${have}`;
    const to = new WebSocket(live, {
      headers: { cookie, origin: this.base },
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    await new Promise((resolve, reject) => to.on("open", resolve).on("error", reject));
    to.on("message", (data) => {
      made.count = JSON.parse(data.toString()).version - have; // nothing but moves changes it now
      seen(made.count);
    });
    made.move = async (square, at) => {
      const form = this._form(cookie, { move: written(square), at });
      const answer = await ask(`${url}/move`, { ...form, agent: false }); // seconds apart: no line is kept
      if (answer.status !== 200) this.refused(`${answer.status} ${answer.text}`);
    };
    made.close = () => to.terminate();
    return made;
  }
}

module.exports = { peer: Peer, api: Api, pages: Pages };
