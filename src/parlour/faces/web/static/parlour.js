// Parlour's one script. Every page works without it, by forms and links. With it a page is live, forms
// are sent without leaving the page, clocks run, and arrow keys move over a board.

const FIRST_PAUSE = 250; // ms before the first attempt to reconnect, doubled up to the longest
const MAX_PAUSE = 5000;
const STEADY = 2000; // ms after which a connection counts as good
const PATIENCE = 60_000; // ms to wait for an answer
const ROOT = new URL("..", import.meta.url); // of the site, which may be below a path
const GONE = 4404; // the close code when there is nothing to reconnect to

const find = (id) => document.getElementById(id);
const make = (tag, values) => Object.assign(document.createElement(tag), values);
const words = document.body.dataset; // what scripts say, in the language of the page
const language = document.documentElement.lang;
const main = find("main");
const drawer = find("benedict");

let telling = 0;
function tell(sentence) {
  const place = find("notice");
  if (!place) return;
  place.parentElement.classList.add("floating");
  place.textContent = "";
  clearTimeout(telling); // a screen reader repeats it only if it was gone for a moment
  telling = setTimeout(() => { place.textContent = sentence; }, 30);
}

// A message must not cover the button that somebody needs next: it goes as soon as they type again
document.addEventListener("input", () => {
  const place = find("notice");
  if (place?.parentElement.classList.contains("floating")) place.textContent = "";
});

// Patching: only what differs from the old page is changed, so that nobody who is typing, pointing,
// listening or has opened something is disturbed, and nothing moves twice.
const isTick = (field) => field.type === "checkbox" || field.type === "radio";
function isUntouched(field) {
  if (!field.id) return true; // only a field with an id is certainly the same one
  if (field.options) return [...field.options].every((each) => each.selected === each.defaultSelected);
  return isTick(field) ? field.checked === field.defaultChecked : field.value === field.defaultValue;
}

function setAsWritten(field) {
  if (field.options) for (const each of field.options) each.selected = each.defaultSelected;
  else if (isTick(field)) field.checked = field.defaultChecked;
  else if (field.value !== field.defaultValue) field.value = field.defaultValue;
}

function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!old.attributes) return void (old.nodeValue = fresh.nodeValue); // a text
  // An answer for this reader alone stays as long as it is about the position shown.
  if (old.dataset.for && old.dataset.for === fresh.dataset.for && !fresh.firstElementChild) return;
  const asWritten = old.matches("input, select, textarea") && isUntouched(old);
  const isOwn = (name) => name === "open" && old.matches("details"); // the reader's, not the server's
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isOwn(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isOwn(name)) old.setAttribute(name, value);
  }
  patchChildren(old, fresh);
  if (asWritten) setAsWritten(old);
}

function patchChildren(old, fresh) {
  let before = null; // the last child that is up to date
  for (const wanted of [...fresh.childNodes]) {
    const at = before ? before.nextSibling : old.firstChild;
    const found = partner(at, wanted) ?? old.insertBefore(wanted, at);
    while (found.previousSibling !== before) found.previousSibling.remove();
    patch(found, wanted);
    before = found;
  }
  while (old.lastChild !== before) old.lastChild.remove();
}

const MARKS = ["id", "class", "action", "name"]; // these identify an element
const MOVED = ".is-new, .is-flipped, .is-gone"; // what the last move placed, turned or took
function partner(at, wanted) {
  const marks = (node) => MARKS.map((mark) => node.getAttribute?.(mark) ?? "").join(" ").trim();
  const fits = (node) => node.nodeName === wanted.nodeName && marks(node) === marks(wanted);
  const maySkip = marks(wanted) ? () => true : (node) => node.nodeName === "#text";
  while (at && !fits(at) && maySkip(at)) at = at.nextSibling;
  if (!at || !fits(at)) return null;
  return wanted.matches?.(MOVED) && !at.isEqualNode(wanted) ? null : at; // animated only if new
}

let missed = null; // what had the focus until it was disabled, as fields are while others move
main?.addEventListener("blur", () => { missed = null; });
const taken = new Set(); // accepted forms whose new page has not arrived yet
function swap(html) {
  for (const form of taken) form.reset();
  taken.clear();
  const held = main.contains(document.activeElement) ? document.activeElement : null;
  const square = held && squareOf(held);
  const touched = [...main.querySelectorAll("input, select, textarea")]
    .filter((field) => !isUntouched(field))
    .map((field) => [field, field.value, field.checked]);
  patchChildren(main, make("template", { innerHTML: html }).content);
  for (const [field, value, checked] of touched) {
    const now = find(field.id);
    if (now && (now !== field || now.options)) Object.assign(now, isTick(now) ? { checked } : { value });
    if (now?.selectedIndex < 0) setAsWritten(now); // the choice is no longer offered
  }
  const isMissed = missed && document.activeElement === main;
  const lost = isMissed ? missed : held;
  if (lost && (isMissed || !lost.isConnected || lost.disabled)) {
    const again = lost.id ? find(lost.id) : null;
    const next = again && !again.disabled ? again : square && nearest(square, [0, 0]);
    (next ?? main).focus({ preventScroll: true });
    if (isMissed) next?.select?.(); // as the Tab key does
    if (!next) missed = lost; // until it is enabled again, or the focus goes elsewhere
  }
  showSounds();
  sound();
  tick();
}

// Live pages: the server sends the content whenever it changes
let [socket, pause, retry] = [null, FIRST_PAUSE, 0];
function showConnection(state) {
  const place = find("connection");
  if (!place || place.dataset.state === state) return;
  place.dataset.state = state;
  place.textContent = place.dataset[state];
}

function connect() {
  disconnect();
  const address = new URL("live", ROOT);
  address.protocol = address.protocol.replace("http", "ws");
  const { live, version = "0", view = "" } = main.dataset;
  address.search = new URLSearchParams({ topic: live, have: version, view, language });
  let opened = Infinity;
  socket = new WebSocket(address);
  socket.addEventListener("open", () => { opened = Date.now(); });
  socket.onopen = () => showConnection("live");
  socket.onmessage = (event) => {
    const news = JSON.parse(event.data);
    main.dataset.version = news.version;
    const led = main.querySelector("a[data-go]");
    swap(news.html);
    if (!led) main.querySelector("a[data-go]")?.click(); // an accepted rematch begins
  };
  socket.onclose = (event) => {
    socket = null;
    if (event.code === GONE) return showConnection("gone");
    showConnection("lost");
    if (Date.now() - opened > STEADY) pause = FIRST_PAUSE;
    // Jitter: a thousand pages must not reconnect at the same moment after a restart.
    retry = setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(2 * pause, MAX_PAUSE);
  };
}

function disconnect() {
  clearTimeout(retry);
  if (socket) socket.onclose = null;
  socket?.close();
  socket = null;
}

if (main?.dataset.live) {
  let left = Infinity;
  connect();
  document.addEventListener("visibilitychange", () => {
    // After sleep a phone may hold a dead connection that looks open: connect again.
    if (document.hidden) left = Date.now();
    else if (!socket || Date.now() - left > STEADY) connect();
  });
  window.addEventListener("online", connect);
  window.addEventListener("pagehide", disconnect);
  window.addEventListener("pageshow", (event) => event.persisted && connect());
}

// Sending
const busy = new WeakSet();
async function post(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  const headers = { Accept: "application/json" };
  const request = { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE) };
  const response = await fetch(action, request).catch(() => {
    throw new Error(words.noAnswer);
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.detail ?? words.failed.replace("STATUS", response.status));
  return answer;
}

async function send(form, submitter) {
  const before = main.dataset.version;
  try {
    const answer = await post(form, submitter);
    if (answer.go) return go(answer.go);
    tell("");
    // The input was accepted, so the fields may show the server's values again.
    if (main.dataset.live && main.dataset.version === before) taken.add(form);
    else form.reset();
    if (!main.dataset.live) await refresh();
  } catch (problem) {
    if (form.id !== "flag") tell(problem.message); // nobody sent that one by hand
  }
}

// The same page with a fragment would not be loaded again by itself.
function go(target) {
  const to = new URL(target, location.href);
  const stays = to.hash && to.href.split("#")[0] === location.href.split("#")[0];
  if (!stays) return location.assign(to);
  location.hash = to.hash;
  return location.reload();
}

async function refresh() {
  const page = await (await fetch(location.href)).text();
  swap(new DOMParser().parseFromString(page, "text/html").getElementById("main").innerHTML);
}

// A page whose answer is pending says after how many seconds to reload
function again() {
  const wait = main?.querySelector("[data-again]")?.dataset.again;
  if (wait) setTimeout(() => refresh().catch(() => {}).finally(again), 1000 * wait);
}
again();

// What an answer waits for where nothing has been compiled yet; a page that waits asks for it
const preparing = find("preparing");
async function tellPreparing() {
  const waits = document.querySelector("[data-again], [data-waiting], #pending, [aria-busy=true]");
  const text = waits ? await (await fetch(new URL("preparing", ROOT))).text() : "";
  if (preparing.textContent !== text) preparing.textContent = text;
  preparing.hidden = !text;
}
setInterval(() => tellPreparing().catch(() => {}), 1000);

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const work = form.matches("[data-chat]") ? talk : form.matches("[data-send]") ? send : null;
  if (!work || event.defaultPrevented) return;
  event.preventDefault();
  const whole = work === talk ? drawer : form;
  if (busy.has(whole)) return;
  busy.add(whole);
  form.setAttribute("aria-busy", "true"); // not `disabled`, which would take the focus away
  await work(form, event.submitter);
  form.removeAttribute("aria-busy");
  busy.delete(whole);
});

// Chat with Benedict
function line(who, text) {
  const said = make("p", { className: `said ${who}${text.includes("\n") ? " drawn" : ""}` });
  const name = who === "you" ? "You: " : "Benedict: ";
  said.append(make("span", { className: "hidden", textContent: name }), text);
  return said;
}

async function talk(form, submitter) {
  const field = find("say-text");
  const chosen = submitter?.name === "text";
  const text = (chosen ? submitter.value : field.value).trim();
  if (!text) return;
  const answering = post(form, submitter);
  const mine = line("you", text);
  const waiting = line("benedict", "…");
  waiting.setAttribute("aria-busy", "true");
  find("lines").firstElementChild.append(mine, waiting);
  if (!chosen) field.value = "";
  try {
    const { lines = [], choices = [], go } = await answering;
    const from = lines.findLastIndex(([who]) => who === "you") + 1;
    waiting.replaceWith(...lines.slice(from).map(([who, words]) => line(who, words)));
    offer(choices);
    if (chosen) (find("choices").querySelector("button") ?? field).focus();
    if (go) location.assign(go);
  } catch (problem) {
    mine.remove();
    waiting.remove();
    if (!chosen) field.value ||= text;
    tell(problem.message);
  }
}

function offer(choices) {
  const back = find("say").querySelector("[name=back]").cloneNode();
  const buttons = choices.map((choice) =>
    make("button", { className: "button", name: "text", value: choice, textContent: choice }));
  find("choices").replaceChildren(...(buttons.length ? [back, ...buttons] : []));
}

if (drawer) {
  // On a wide screen the chat stays open from page to page; on a phone it would be in the way.
  const memory = (() => { try { return sessionStorage; } catch { return {}; } })(); // may be forbidden
  if (memory.benedict === "open" && matchMedia("(min-width: 80rem)").matches) drawer.open = true;
  drawer.addEventListener("toggle", () => { memory.benedict = drawer.open ? "open" : ""; });
  drawer.firstElementChild.addEventListener("click", () => {
    // Not on touch screens, where a keyboard would cover the conversation.
    if (!drawer.open && matchMedia("(hover: hover)").matches) setTimeout(() => find("say-text").focus());
  });
}

// Keys: arrows move over a board or through a game, Escape closes messages and the chat
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function squareOf(element) {
  const square = element.closest("[data-column][data-row]");
  return square && { square, column: Number(square.dataset.column), row: Number(square.dataset.row) };
}

function nearest({ square, column, row }, [right, down]) {
  let [best, least] = [null, Infinity];
  const board = square.closest(".board") ?? main;
  for (const other of board.querySelectorAll("[data-column][data-row]:enabled")) {
    if (!other.checkVisibility()) continue; // a target of a piece that is not picked up
    const [across, along] = [other.dataset.column - column, other.dataset.row - row];
    if (other === square || (right && across * right <= 0) || (down && along * down <= 0)) continue;
    const way = (right ? 1 : 3) * Math.abs(across) + (down ? 1 : 3) * Math.abs(along);
    if (way < least) [best, least] = [other, way];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    tell("");
    if (drawer?.open && drawer.contains(event.target)) {
      drawer.open = false;
      drawer.firstElementChild.focus();
    }
  }
  if (event.key === "Enter" && event.target.matches(".board input[type=radio]")) {
    event.preventDefault(); // it would press the first button of the form
    event.target.click();
  }
  if (!(event.key in ARROWS) || event.ctrlKey || event.altKey || event.metaKey) return;
  const from = squareOf(event.target);
  if (from) event.preventDefault();
  if (from) nearest(from, ARROWS[event.key])?.focus();
  else if (!event.target.closest("input, select, textarea, #benedict")) {
    main?.querySelector(`a[data-key="${event.key}"]`)?.click(); // previous and next move
  }
});

// Copying, closing, digits
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // only pages on https or localhost may use the clipboard directly
    const held = document.activeElement;
    const area = make("textarea", { value: text, className: "hidden" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    held?.focus();
    if (!done) return tell(words.copyThis.replace("TEXT", () => text));
  }
  tell(words.copied);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-close]");
  if (!button) return;
  const { copy: text, link } = button.dataset;
  if (text === undefined) tell("");
  else copy(link === undefined ? text : new URL(text.replace(/^\//, ""), ROOT).href);
});

document.addEventListener("beforeinput", (event) => {
  const takesDigits = event.target.dataset?.digits !== undefined;
  if (takesDigits && /\D/.test(event.data ?? "")) event.preventDefault();
});

// Levels: the word, the rating and the description follow the slider
document.addEventListener("input", ({ target }) => {
  if (!target.dataset?.levels) return;
  const level = JSON.parse(target.dataset.levels)[target.value - target.min];
  target.nextElementSibling.textContent = `${target.value}: ${level.text}`;
  const plays = target.closest(".bot-kind").querySelector("[data-plays]");
  if (level.plays) plays.textContent = `${level.plays}.`;
});

// Sounds, off until somebody switches them on: a short knock for a move, two notes at the end
const kept = (() => { try { return localStorage; } catch { return {}; } })(); // may be forbidden
let audio = null;
function knock(pitch, after = 0, length = 0.12) {
  audio ??= new AudioContext();
  audio.resume(); // browsers let nothing sound before the first press
  const [note, loud, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
  note.type = "triangle";
  note.frequency.setValueAtTime(pitch, at);
  note.frequency.exponentialRampToValueAtTime(pitch / 2, at + length);
  loud.gain.setValueAtTime(0.25, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + length);
  note.connect(loud).connect(audio.destination);
  note.start(at);
  note.stop(at + length);
}

const countMoves = () => main?.querySelectorAll(".played li").length ?? 0;
let heard = countMoves();
function sound() {
  const now = countMoves();
  if (kept.sounds === "on" && now > heard) {
    knock(330);
    if (main.querySelector("#review")) [523, 659].forEach((pitch, at) => knock(pitch, 0.15 * (at + 1), 0.3));
  }
  heard = now;
}

function showSounds() {
  const field = find("sounds");
  if (field) field.checked = kept.sounds === "on";
}
showSounds();
document.addEventListener("change", ({ target }) => {
  if (target.dataset?.sounds === undefined) return;
  kept.sounds = target.checked ? "on" : "";
  if (target.checked) knock(330);
});

// Clocks: the server says how much time is left, and decides when it is up
const clocks = new WeakMap(); // for each clock: the time left, since when, and when we last asked
let ticking = 0;
function tick() {
  clearTimeout(ticking);
  const now = performance.now();
  let runs = false;
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const { left: said, running } = clock.dataset;
    let face = clocks.get(clock);
    if (face?.said !== said || face.running !== running) face = { said, running, at: now, asked: -STEADY };
    clocks.set(clock, face);
    const left = Math.max(0, said - (running === undefined ? 0 : (now - face.at) / 1000));
    const isClock = !clock.matches(".countdown"); // whose tenths matter
    const whole = isClock ? Math.floor(left) : Math.ceil(left);
    const seconds = String(whole % 60).padStart(2, "0");
    clock.textContent = isClock && left < 20 ? left.toFixed(1) : `${Math.floor(whole / 60)}:${seconds}`;
    clock.toggleAttribute("data-short", isClock && left < 20);
    if (running === undefined) continue;
    runs = true;
    if (left > 0 || now - face.asked < STEADY) continue;
    face.asked = now; // the server's clock may be a little behind ours, so ask again later
    find("flag")?.requestSubmit();
  }
  if (runs) ticking = setTimeout(tick, 100);
}
tick();

// On a phone the sections are a row that is pushed sideways: begin with this page's in sight
const section = document.querySelector(".nav [aria-current]");
if (section) section.closest(".nav").scrollLeft = section.offsetLeft - innerWidth / 2 + section.offsetWidth / 2;
