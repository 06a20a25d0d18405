// Plays whole games of tic-tac-toe at many tables of one server, and says how soon moves were seen.
//
//     node client.js SIDE URL SCENE TABLES [AMOUNT [PID]]
//
// SIDE is peer, api or pages. All tables are opened and both seats of each connected; then the client
// writes a line and waits for one before it plays, and again before it leaves. SCENE `full` plays
// every game to its end, AMOUNT at a time, each move made as soon as its player has seen the one
// before. `paced` makes AMOUNT moves a second, at the tables in turn, until four games in five are
// over: nobody has to move twice in a second. `kill` plays as `full` does, kills the server at half of the moves, waits for
// another line, and counts how many of the moves that the other side had seen are there no more.
// The games are the same for every side. Everything is told as one JSON object a line.

"use strict";

const readline = require("node:readline");
const sides = require("./sides.js");

const [sideName, base, scene, tablesText, amountText, pid] = process.argv.slice(2);
const TABLES = Number(tablesText);
const AMOUNT = Number(amountText);
const PATIENCE = 20_000; // milliseconds without any news
const LONGEST = 240_000; // milliseconds in all

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"];

const side = new sides[sideName](base);
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const took = []; // milliseconds from sending a move until the other side has seen it
const refusals = [];
let latest = performance.now();

side.refused = (text) => refusals.push(text.slice(0, 300));

const tell = (thing) => process.stdout.write(`${JSON.stringify(thing)}\n`);

/** The squares of one game played by lot, until a line stands or the board is full. */
function gameOf(number) {
  let lot = number * 7919 + 17;
  const free = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const played = [];
  const own = [new Set(), new Set()];
  while (free.length) {
    lot = (lot * 1103515245 + 12345) % 2147483648;
    const [square] = free.splice(Math.floor((lot / 2147483648) * free.length), 1);
    const mine = own[played.length % 2].add(square);
    played.push(square);
    if (LINES.some((line) => [...line].every((each) => mine.has(Number(each))))) break;
  }
  return played;
}

/** One table: its game, its two connections, and the move that is under way. */
class Play {
  constructor(table, number) {
    this.table = table;
    this.game = gameOf(number);
    this.made = 0; // moves the other side has seen
    this.sent = 0;
    this.news = () => {};
  }

  async connect() {
    const connect = (seat) => side.connect(this.table, seat, (count) => this.told(seat, count));
    this.seats = [await connect(0), await connect(1)];
  }

  move() {
    const seat = this.sent % 2;
    this.at = performance.now();
    this.seats[seat].move(this.game[this.sent], this.sent);
    this.sent += 1;
  }

  told(seat, count) {
    if (this.sent === this.made || seat === (this.sent - 1) % 2 || count < this.sent) return;
    latest = performance.now();
    took.push(latest - this.at);
    this.made = this.sent;
    this.news();
  }

  get over() {
    return this.sent === this.game.length;
  }
}

/** Do something with every item, a few at a time. */
async function eachOf(items, work, hands = 8) {
  const queue = items.values();
  const hand = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

/** Every game to its end, so many at a time; `until` may stop it before. */
function full(plays, atATime, until = () => false) {
  return new Promise((resolve) => {
    const waiting = plays.values();
    let going = 0;
    const begin = () => {
      const { value: play, done } = waiting.next();
      if (done) {
        if (going === 0) resolve();
        return;
      }
      going += 1;
      play.news = () => {
        if (until()) resolve();
        else if (!play.over) play.move();
        else {
          going -= 1;
          begin();
        }
      };
      play.move();
    };
    for (let slot = 0; slot < atATime; slot++) begin();
  });
}

/** So many moves a second, at the tables in turn, until four games in five are over. */
function paced(plays, rate) {
  return new Promise((resolve) => {
    const began = performance.now();
    const queue = [...plays];
    let made = 0;
    let missed = 0; // a turn that came while the move before was not seen yet
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) * rate) / 1000);
      while (made + missed < due && queue.length > plays.length / 5) {
        const play = queue.shift();
        if (play.sent > play.made) {
          missed += 1;
          queue.push(play);
          continue;
        }
        play.move();
        made += 1;
        if (!play.over) queue.push(play);
      }
      const enough = queue.length <= plays.length / 5;
      if (enough && plays.every((play) => play.made === play.sent)) {
        clearInterval(timer);
        resolve(missed);
      }
    }, 2);
  });
}

const within = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))];

function result(began, used, more) {
  const seconds = (latest - began) / 1000;
  const { user, system } = process.cpuUsage(used);
  took.sort((a, b) => a - b);
  tell({
    moves: took.length,
    seconds,
    rate: took.length / seconds,
    p50: within(0.5),
    p99: within(0.99),
    most: took.at(-1),
    in_time: took.filter((each) => each <= 100).length / took.length,
    client: (user + system) / 1e6 / seconds, // cores the client itself was busy
    refused: refusals.length,
    refusals: refusals.slice(0, 3),
    ...more,
  });
}

async function main() {
  setTimeout(() => {
    tell({ failed: `not done after ${LONGEST / 1000} seconds` });
    process.exit(5);
  }, LONGEST).unref();
  const began = performance.now();
  const plays = [];
  await eachOf([...Array(TABLES).keys()], async (number) => {
    plays.push(new Play(await side.open(), number));
  });
  tell({ opened: TABLES, seconds: (performance.now() - began) / 1000 });
  await lines.next();
  await eachOf(plays, (play) => play.connect());
  tell({ connected: 2 * TABLES });
  await lines.next();

  latest = performance.now();
  setInterval(() => {
    if (performance.now() - latest > PATIENCE) {
      tell({ stuck: plays.filter((play) => play.sent > play.made).length, refusals: refusals.slice(0, 3) });
      process.exit(3);
    }
  }, 1000).unref();

  const start = performance.now();
  const used = process.cpuUsage();
  if (scene === "full") {
    await full(plays, AMOUNT);
    result(start, used, {});
  } else if (scene === "paced") {
    result(start, used, { missed: await paced(plays, AMOUNT) });
  } else {
    const half = plays.reduce((sum, play) => sum + play.game.length, 0) / 2;
    let alive = true;
    await full(plays, AMOUNT, () => {
      if (alive && took.length >= half) alive = !process.kill(Number(pid), "SIGKILL");
      return !alive;
    });
    tell({ killed: took.length });
    await lines.next();
    await recount(plays);
  }
  await lines.next();
  process.exit(0);
}

/** How many of the moves that were seen are still known, asked for table by table.
 *
 * A server that falls over on what it has stored is started again, and only that table counts.
 */
async function recount(plays) {
  const told = { seen: 0, lost: 0, unreadable: 0 };
  for (const play of plays.filter((each) => each.made > 0)) {
    const wait = new Promise((resolve) => setTimeout(resolve, 3000, null));
    const back = side.connect(play.table, 0, () => {}).catch(() => null);
    const seat = await Promise.race([back, wait]);
    told.seen += play.made;
    told.lost += Math.max(0, play.made - (seat ? seat.count : 0));
    if (seat) seat.close();
    else {
      told.unreadable += 1;
      tell({ unanswered: play.table.id });
      await lines.next();
    }
  }
  tell(told);
}

process.on("unhandledRejection", (error) => {
  if (scene === "kill") return; // connections to the killed server end this way
  tell({ failed: String(error) });
  process.exit(4);
});
main();
