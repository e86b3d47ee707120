// A grid of inputs: arrow keys and Enter move between cells, and a block pasted from a spreadsheet fills them.

(() => {
  const grid = document.querySelector("[data-grid]");
  if (!grid) return;

  const rows = () => [...grid.tBodies[0].rows].map((row) => [...row.querySelectorAll("input")]);

  const findPlace = (cell) => {
    const line = cell.closest("tr").sectionRowIndex;
    return [line, rows()[line].indexOf(cell)];
  };

  const mark = (cell) => {
    cell.classList.toggle("is-changed", cell.value !== cell.defaultValue);
  };

  const move = (cell, lines, columns) => {
    const [line, column] = findPlace(cell);
    const target = rows()[line + lines]?.[column + columns];
    if (target) {
      target.focus();
      target.select();
    }
    return Boolean(target);
  };

  const isAtEdge = (cell, key) =>
    key === "ArrowLeft"
      ? cell.selectionEnd === 0 || cell.selectionEnd - cell.selectionStart === cell.value.length
      : cell.selectionStart === cell.value.length || cell.selectionEnd - cell.selectionStart === cell.value.length;

  grid.addEventListener("keydown", (event) => {
    if (event.target.tagName !== "INPUT" || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const steps = { Enter: [event.shiftKey ? -1 : 1, 0], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    if (isAtEdge(event.target, event.key)) {
      steps.ArrowLeft = [0, -1];
      steps.ArrowRight = [0, 1];
    }
    const step = steps[event.key];
    if (!step) return;
    if (move(event.target, ...step) || event.key === "Enter") event.preventDefault();
  });

  grid.addEventListener("input", (event) => mark(event.target));

  grid.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n").replace(/\n$/, "");
    if (event.target.tagName !== "INPUT" || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    const [line, column] = findPlace(event.target);
    const cells = rows();
    text.split("\n").forEach((values, down) => {
      values.split("\t").forEach((value, across) => {
        const cell = cells[line + down]?.[column + across];
        // An empty cell of a spreadsheet removes no fact.
        if (cell && value.trim()) {
          cell.value = value.trim();
          mark(cell);
        }
      });
    });
  });
})();
