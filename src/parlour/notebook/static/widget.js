// A board in a cell. Python draws it and keeps the game; this shows what it says and tells it what
// was pressed. The board lives in a shadow tree, so that neither it nor the notebook changes the
// other's look. STYLE is put in front of this file.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SHOWN = ["title", "board", "status", "notice", "thinking", "can_undo"];
const FRAME = `<div class="cell">
  <h4></h4>
  <p class="status" role="status"></p>
  <div class="table"></div>
  <p class="notice" role="alert"></p>
  <div class="under">
    <button type="button" id="undo">Undo</button>
    <button type="button" id="new">New game</button>
  </div>
</div>`;

// A notebook is dark where the first ground that is painted behind the cell is. A canvas knows what
// colour any notation means.
function isDark(element) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = getComputedStyle(at).backgroundColor;
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
    if (alpha > 128) return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function watchTheme(host, paint) {
  const watch = new MutationObserver(paint);
  for (const each of [document.documentElement, document.body]) {
    watch.observe(each, { attributes: true });
  }
  const preference = matchMedia("(prefers-color-scheme: dark)");
  preference.addEventListener("change", paint);
  return () => {
    watch.disconnect();
    preference.removeEventListener("change", paint);
  };
}

// Arrow keys go to the nearest square in their direction.
function nearest(square, [right, down]) {
  let [best, least] = [null, Infinity];
  for (const other of square.closest(".board").querySelectorAll("[data-column][data-row]:enabled")) {
    if (!other.checkVisibility()) continue; // a target of a piece that is not picked up
    const across = other.dataset.column - square.dataset.column;
    const along = other.dataset.row - square.dataset.row;
    if (other === square || (right && across * right <= 0) || (down && along * down <= 0)) continue;
    const way = (right ? 1 : 3) * Math.abs(across) + (down ? 1 : 3) * Math.abs(along);
    if (way < least) [best, least] = [other, way];
  }
  return best;
}

function render({ model, el }) {
  const host = document.createElement("div");
  host.dataset.lmSuppressShortcuts = "true"; // Jupyter's own keys rest while one plays
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${STYLE}</style>${FRAME}`;
  const [heading, status, table, notice] = ["h4", ".status", ".table", ".notice"].map((css) => root.querySelector(css));
  const [undo, again] = ["undo", "new"].map((id) => root.getElementById(id));

  let shown = "";
  function show() {
    const focused = root.activeElement?.id;
    heading.textContent = model.get("title");
    status.textContent = model.get("status");
    notice.textContent = model.get("notice");
    if (shown !== model.get("board")) {
      table.innerHTML = shown = model.get("board");
    }
    table.setAttribute("aria-busy", String(model.get("thinking")));
    undo.disabled = !model.get("can_undo");
    if (focused) (root.getElementById(focused) ?? table.querySelector("button:enabled"))?.focus();
  }

  function paint() {
    host.removeAttribute("data-night");
    host.toggleAttribute("data-night", isDark(el));
  }

  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target, event.submitter));
    model.send({ press: fields });
  });
  undo.addEventListener("click", () => model.send({ do: "undo" }));
  again.addEventListener("click", () => model.send({ do: "new" }));
  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (!(event.key in ARROWS) || event.ctrlKey || event.altKey || event.metaKey) return;
    const square = event.target.closest("[data-column][data-row]");
    if (!square) return;
    event.preventDefault();
    nearest(square, ARROWS[event.key])?.focus();
  });

  const changes = SHOWN.map((name) => `change:${name}`);
  for (const each of changes) model.on(each, show);
  el.append(host);
  show();
  requestAnimationFrame(paint); // the cell has its ground only in the page
  const unwatch = watchTheme(host, paint);
  return () => {
    unwatch();
    for (const each of changes) model.off(each, show);
    host.remove();
  };
}

export default { render };
