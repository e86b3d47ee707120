// Slips that were typed on the page of a round and had not arrived when somebody turned to another page: named on
// each page of the same console, with the way back, where they follow by themselves.
(() => {
  "use strict";
  const KEY = "ringside-slips-";
  const home = location.pathname.split("/").slice(0, 3).join("/");

  function left() {
    try {
      return Object.keys(sessionStorage)
        .filter((key) => key.startsWith(`${KEY}${home}/`) && key !== KEY + location.pathname)
        .map((key) => ({ page: key.slice(KEY.length), slips: JSON.parse(sessionStorage.getItem(key)) }))
        .filter((each) => Array.isArray(each.slips) && each.slips.length);
    } catch {
      return [];
    }
  }

  for (const { page, slips } of left()) {
    const many = slips.length > 1;
    const note = document.createElement("div");
    note.className = "alert alert-warning";
    note.setAttribute("role", "status");
    const words = document.createElement("p");
    words.append(`${many ? `${slips.length} slips have` : "1 slip has"} not arrived: ${slips.join(", ")}. `);
    const back = document.createElement("a");
    back.href = page;
    back.textContent = many ? "Send them" : "Send it";
    words.append(back);
    note.append(words);
    document.getElementById("main")?.prepend(note);
  }
})();
