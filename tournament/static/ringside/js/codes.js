// Reads QR codes out of a picture: by the browser if it can, otherwise here. Needs code-words.js.
(() => {
  "use strict";

  const LONGEST_SIDE = 800;
  const MOST_PATTERNS = 9;
  const MOST_TRIES = 12;

  // Dark or light against the mean of what is around, so that shadows and lamps do not matter.
  function darkness({ data, width, height }) {
    const sums = new Float64Array((width + 1) * (height + 1));
    const gray = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0, row = 0; x < width; x += 1) {
        const at = y * width + x;
        gray[at] = (data[4 * at] * 77 + data[4 * at + 1] * 151 + data[4 * at + 2] * 28) >> 8;
        row += gray[at];
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
      }
    }
    const reach = Math.max(8, Math.max(width, height) >> 4);
    const dark = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      const top = Math.max(0, y - reach) * (width + 1), low = Math.min(height, y + reach + 1);
      const bottom = low * (width + 1);
      for (let x = 0; x < width; x += 1) {
        const left = Math.max(0, x - reach), right = Math.min(width, x + reach + 1);
        const sum = sums[bottom + right] - sums[bottom + left] - sums[top + right] + sums[top + left];
        const area = (right - left) * (low - top / (width + 1));
        dark[y * width + x] = Number(gray[y * width + x] * area < sum - 6 * area);
      }
    }
    return (x, y) => x >= 0 && y >= 0 && x < width && y < height && dark[(y | 0) * width + (x | 0)] === 1;
  }

  const isPattern = (runs) => {
    const one = runs.reduce((sum, run) => sum + run, 0) / 7;
    return one >= 1 && runs.every((run, at) => Math.abs(run - one * (at === 2 ? 3 : 1)) < one * (at === 2 ? 1.5 : 0.75));
  };

  // Five runs across a middle along a line; the middle of the third and the size of a module, or null.
  function across(isDark, x, y, dx, dy, most) {
    const runs = [0, 0, 0, 0, 0];
    const walk = (sign, start, order) => {
      let step = start;
      order.forEach((run, at) => {
        while (runs[run] < most && isDark(x + dx * sign * step, y + dy * sign * step) === (at % 2 === 0)) {
          runs[run] += 1;
          step += 1;
        }
      });
      return step;
    };
    const end = walk(1, 0, [2, 3, 4]);
    walk(-1, 1, [2, 1, 0]);
    if (!isPattern(runs)) return null;
    const middle = end - runs[4] - runs[3] - runs[2] / 2;
    return { middle, one: runs.reduce((sum, run) => sum + run, 0) / 7 };
  }

  function patterns(isDark, width, height) {
    const patternsFound = [];
    const keep = (x, y, one) => {
      const near = patternsFound.find((each) => Math.abs(each.x - x) < 2 * one && Math.abs(each.y - y) < 2 * one);
      if (!near) { patternsFound.push({ x, y, one, times: 1 }); return; }
      near.times += 1;
      for (const [key, value] of [["x", x], ["y", y], ["one", one]]) near[key] += (value - near[key]) / near.times;
    };
    const look = (end, y, runs) => {
      if (!isPattern(runs)) return;
      const one = runs.reduce((sum, run) => sum + run, 0) / 7;
      const x = end - runs[4] - runs[3] - runs[2] / 2;
      const down = across(isDark, x, y, 0, 1, 5 * one);
      const flat = down && across(isDark, x, y + down.middle, 1, 0, 5 * one);
      if (flat) keep(x + flat.middle, y + down.middle, (flat.one + down.one) / 2);
    };
    for (let y = 1; y < height; y += 2) {
      let runs = [0, 0, 0, 0, 0], was = false;
      for (let x = 0; x <= width; x += 1) {
        const is = x < width && isDark(x, y);
        if (is === was) { runs[4] += 1; continue; }
        if (was) look(x, y, runs);
        runs = [...runs.slice(1), 1];
        was = is;
      }
    }
    return patternsFound.sort((one, two) => two.times - one.times).slice(0, MOST_PATTERNS);
  }

  const away = (one, two) => Math.hypot(one.x - two.x, one.y - two.y);

  // Three patterns as corners of a square, the likeliest first: the middle one, then the one to its right.
  function corners(patternsFound) {
    const squares = [];
    for (let a = 0; a < patternsFound.length; a += 1) for (let b = a + 1; b < patternsFound.length; b += 1) for (let c = b + 1; c < patternsFound.length; c += 1) {
      const three = [patternsFound[a], patternsFound[b], patternsFound[c]];
      const sizes = three.map((each) => each.one);
      if (Math.max(...sizes) > 1.8 * Math.min(...sizes)) continue;
      const longest = [[0, 1, 2], [0, 2, 1], [1, 2, 0]].map(([i, j, k]) => ({ i, j, k, far: away(three[i], three[j]) }))
        .sort((one, two) => two.far - one.far)[0];
      const corner = three[longest.k];
      let [right, below] = [three[longest.i], three[longest.j]];
      if ((right.x - corner.x) * (below.y - corner.y) - (right.y - corner.y) * (below.x - corner.x) < 0) [right, below] = [below, right];
      const [one, two] = [away(corner, right), away(corner, below)];
      const wrong = Math.abs(one - two) / Math.max(one, two) + Math.abs(longest.far ** 2 - one ** 2 - two ** 2) / longest.far ** 2;
      if (wrong < 0.8) squares.push({ corner, right, below, wrong });
    }
    return squares.sort((one, two) => one.wrong - two.wrong).slice(0, MOST_TRIES);
  }

  // Solves for the transform that takes four points of the code to four of the picture.
  function transform(from, to) {
    const rows = from.flatMap(([x, y], at) => [
      [x, y, 1, 0, 0, 0, -to[at][0] * x, -to[at][0] * y, to[at][0]],
      [0, 0, 0, x, y, 1, -to[at][1] * x, -to[at][1] * y, to[at][1]],
    ]);
    for (let at = 0; at < 8; at += 1) {
      const best = rows.slice(at).reduce((most, row, i) => (Math.abs(row[at]) > Math.abs(rows[most][at]) ? at + i : most), at);
      [rows[at], rows[best]] = [rows[best], rows[at]];
      if (!rows[at][at]) return null;
      for (let other = 0; other < 8; other += 1) {
        if (other === at) continue;
        const factor = rows[other][at] / rows[at][at];
        for (let column = at; column < 9; column += 1) rows[other][column] -= factor * rows[at][column];
      }
    }
    const v = rows.map((row, at) => row[8] / row[at]);
    return (x, y) => {
      const down = v[6] * x + v[7] * y + 1;
      return [(v[0] * x + v[1] * y + v[2]) / down, (v[3] * x + v[4] * y + v[5]) / down];
    };
  }

  // The small square near the fourth corner, where it is found; it gives the perspective of the code.
  function aligned(isDark, { corner, right, below }, size) {
    const legs = size - 7;
    const ux = [(right.x - corner.x) / legs, (right.y - corner.y) / legs];
    const uy = [(below.x - corner.x) / legs, (below.y - corner.y) / legs];
    const start = [corner.x + (ux[0] + uy[0]) * (size - 10), corner.y + (ux[1] + uy[1]) * (size - 10)];
    const score = (x, y) => {
      let right = 0;
      for (let i = -2; i <= 2; i += 1) for (let j = -2; j <= 2; j += 1) {
        const isDarkThere = Math.max(Math.abs(i), Math.abs(j)) !== 1;
        right += Number(isDark(x + ux[0] * i + uy[0] * j, y + ux[1] * i + uy[1] * j) === isDarkThere);
      }
      return right;
    };
    let best = 21, hits = [];
    for (let i = -5; i <= 5; i += 0.25) for (let j = -5; j <= 5; j += 0.25) {
      const [x, y] = [start[0] + ux[0] * i + uy[0] * j, start[1] + ux[1] * i + uy[1] * j];
      const hitCount = score(x, y);
      if (hitCount > best) [best, hits] = [hitCount, []];
      if (hitCount === best && best > 21) hits.push([x, y, Math.hypot(i, j)]);
    }
    if (!hits.length) return null;
    const nearest = hits.reduce((one, two) => (two[2] < one[2] ? two : one));
    const same = hits.filter((each) => Math.hypot(each[0] - nearest[0], each[1] - nearest[1]) < 2 * corner.one);
    return [0, 1].map((at) => same.reduce((sum, each) => sum + each[at], 0) / same.length);
  }

  function readAs(isDark, three, size) {
    const { corner, right, below } = three;
    const from = [[3.5, 3.5], [size - 3.5, 3.5], [3.5, size - 3.5]];
    const to = [corner, right, below].map((each) => [each.x, each.y]);
    const small = size > 21 ? aligned(isDark, three, size) : null;
    const fourths = [[[size - 3.5, size - 3.5], [right.x + below.x - corner.x, right.y + below.y - corner.y]]];
    if (small) fourths.unshift([[size - 6.5, size - 6.5], small]);
    for (const [place, point] of fourths) {
      const at = transform([...from, place], [...to, point]);
      const text = at && window.RingsideCodeWords((x, y) => isDark(...at(x + 0.5, y + 0.5)), size);
      if (text) return text;
    }
    return null;
  }

  // How many modules a side has; their size was measured along the picture, in which the code may lie aslant.
  function modulesOf({ corner, right, below }) {
    const along = (other) => {
      const far = away(corner, other);
      const slant = Math.max(Math.abs(other.x - corner.x), Math.abs(other.y - corner.y)) / far;
      return far / (((corner.one + other.one) / 2) * slant);
    };
    return (along(right) + along(below)) / 2 + 7;
  }

  // The text of the first code in a picture (as a canvas gives it), or null.
  function read(picture) {
    const isDark = darkness(picture);
    for (const three of corners(patterns(isDark, picture.width, picture.height))) {
      const nearest = Math.round((modulesOf(three) - 17) / 4);
      for (const version of [nearest, nearest + 1, nearest - 1, nearest + 2, nearest - 2]) {
        const text = version > 0 && version < 11 ? readAs(isDark, three, 17 + 4 * version) : null;
        if (text) return text;
      }
    }
    return null;
  }

  const canvas = document.createElement("canvas");

  function readVideo(video) {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight, 1));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!canvas.width || !canvas.height) return null;
    const drawing = canvas.getContext("2d", { willReadFrequently: true });
    drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
    return read(drawing.getImageData(0, 0, canvas.width, canvas.height));
  }

  // A video is in a template until it is needed: Chromium never frees a page that was read for its news and that has
  // a video of its own.
  function insertVideo(place) {
    const frame = place.querySelector("template");
    if (frame) frame.replaceWith(document.importNode(frame.content, true));
    return place.querySelector("video");
  }

  let own = null;
  async function detector() {
    if (own === null && "BarcodeDetector" in window) {
      const kinds = await window.BarcodeDetector.getSupportedFormats().catch(() => []);
      own = kinds.includes("qr_code") ? new window.BarcodeDetector({ formats: ["qr_code"] }) : false;
    }
    return own;
  }

  window.RingsideCodes = {
    read,
    insertVideo,
    // The text of a code that the video shows now, or null.
    async seen(video) {
      if (video.readyState < 2) return null;
      const codeDetector = await detector();
      if (!codeDetector) return readVideo(video);
      const codes = await codeDetector.detect(video).catch(() => []);
      return codes.find((each) => each.rawValue)?.rawValue ?? null;
    },
    canUseCamera: () => Boolean(navigator.mediaDevices?.getUserMedia),
  };
})();
