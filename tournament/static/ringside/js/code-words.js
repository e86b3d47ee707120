// From the modules of a QR code to the text it holds: ISO/IEC 18004, versions 1 to 10.
(() => {
  "use strict";

  // Of each version for the levels L, M, Q, H: check words of a block, then pairs of blocks and their data words.
  const BLOCKS = [
    [[7, 1, 19], [10, 1, 16], [13, 1, 13], [17, 1, 9]],
    [[10, 1, 34], [16, 1, 28], [22, 1, 22], [28, 1, 16]],
    [[15, 1, 55], [26, 1, 44], [18, 2, 17], [22, 2, 13]],
    [[20, 1, 80], [18, 2, 32], [26, 2, 24], [16, 4, 9]],
    [[26, 1, 108], [24, 2, 43], [18, 2, 15, 2, 16], [22, 2, 11, 2, 12]],
    [[18, 2, 68], [16, 4, 27], [24, 4, 19], [28, 4, 15]],
    [[20, 2, 78], [18, 4, 31], [18, 2, 14, 4, 15], [26, 4, 13, 1, 14]],
    [[24, 2, 97], [22, 2, 38, 2, 39], [22, 4, 18, 2, 19], [26, 4, 14, 2, 15]],
    [[30, 2, 116], [22, 3, 36, 2, 37], [20, 4, 16, 4, 17], [24, 4, 12, 4, 13]],
    [[18, 2, 68, 2, 69], [26, 4, 43, 1, 44], [24, 6, 19, 2, 20], [28, 6, 15, 2, 16]],
  ];
  const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
  const LEVELS = [1, 0, 3, 2];
  const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
  const MASKS = [
    (y, x) => (y + x) % 2, (y) => y % 2, (y, x) => x % 3, (y, x) => (y + x) % 3,
    (y, x) => ((y >> 1) + Math.floor(x / 3)) % 2, (y, x) => ((y * x) % 2) + ((y * x) % 3),
    (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2,
  ];

  const POWER = new Uint8Array(512);
  const LOG = new Uint8Array(256);
  for (let at = 0, value = 1; at < 255; at += 1) {
    POWER[at] = POWER[at + 255] = value;
    LOG[value] = at;
    value = value < 128 ? value << 1 : (value << 1) ^ 0x11d;
  }
  const times = (one, two) => (one && two ? POWER[LOG[one] + LOG[two]] : 0);
  const valueAt = (polynomial, x) => polynomial.reduceRight((sum, factor) => times(sum, x) ^ factor, 0);

  // The format occurs twice, with check bits: the nearest of all possible ones, or null when too much is unreadable.
  function format(get, size) {
    const one = [], two = [];
    for (let x = 0; x < 9; x += 1) if (x !== 6) one.push(get(x, 8));
    for (let y = 7; y >= 0; y -= 1) if (y !== 6) one.push(get(8, y));
    for (let y = size - 1; y >= size - 7; y -= 1) two.push(get(8, y));
    for (let x = size - 8; x < size; x += 1) two.push(get(x, 8));
    let best = null, least = 4;
    for (let data = 0; data < 32; data += 1) {
      let rest = data << 10;
      for (let bit = 14; bit >= 10; bit -= 1) if (rest >> bit & 1) rest ^= 0x537 << (bit - 10);
      const whole = ((data << 10) | rest) ^ 0x5412;
      for (const bitsRead of [one, two]) {
        const wrong = bitsRead.reduce((sum, is, at) => sum + (Number(is) !== (whole >> (14 - at) & 1)), 0);
        if (wrong < least) [best, least] = [data, wrong];
      }
    }
    return best === null ? null : { level: LEVELS[best >> 3], mask: MASKS[best & 7] };
  }

  // Whether a module belongs to the frame of the code and holds no data.
  function frame(version, size) {
    const centres = ALIGNED[version - 1];
    const last = centres.at(-1);
    const pairs = centres.flatMap((x) => centres.map((y) => [x, y]))
      .filter(([x, y]) => !(x === 6 && y === 6) && !(x === 6 && y === last) && !(x === last && y === 6));
    return (x, y) => x === 6 || y === 6 || (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)
      || (version > 6 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6)))
      || pairs.some(([a, b]) => Math.abs(x - a) < 3 && Math.abs(y - b) < 3);
  }

  function codewords(get, size, version, mask) {
    const isFrame = frame(version, size);
    const words = [];
    let word = 0, bits = 0;
    for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
      if (right === 6) right -= 1;
      for (let step = 0; step < size; step += 1) {
        const y = up ? size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (isFrame(x, y)) continue;
          word = (word << 1) | (Number(get(x, y)) ^ Number(mask(y, x) === 0));
          bits += 1;
          if (bits === 8) { words.push(word); word = bits = 0; }
        }
      }
    }
    return words;
  }

  function blocksOf(words, shape) {
    const [check, ...pairs] = shape;
    const blocks = [];
    for (let at = 0; at < pairs.length; at += 2) {
      for (let count = 0; count < pairs[at]; count += 1) blocks.push({ data: pairs[at + 1], words: [] });
    }
    let next = 0;
    for (let at = 0; at < Math.max(...blocks.map((each) => each.data)); at += 1) {
      for (const each of blocks) if (at < each.data) each.words.push(words[next++]);
    }
    for (let at = 0; at < check; at += 1) for (const each of blocks) each.words.push(words[next++]);
    return blocks;
  }

  // Berlekamp and Massey: the polynomial whose roots say where the words are wrong.
  function locator(syndromes) {
    let errorLocator = [1], before = [1], length = 0, shift = 1, last = 1;
    syndromes.forEach((syndrome, at) => {
      let off = syndrome;
      for (let i = 1; i <= length; i += 1) off ^= times(errorLocator[i] ?? 0, syndromes[at - i]);
      if (!off) { shift += 1; return; }
      const oldLocator = errorLocator.slice();
      const factor = times(off, POWER[255 - LOG[last]]);
      before.forEach((value, i) => { errorLocator[i + shift] = (errorLocator[i + shift] ?? 0) ^ times(factor, value); });
      errorLocator = Array.from(errorLocator, (value) => value ?? 0);
      if (2 * length <= at) { length = at + 1 - length; before = oldLocator; last = off; shift = 1; } else shift += 1;
    });
    return { errorLocator, length };
  }

  // Corrects the words of a block in place; false if more are wrong than the check words can correct.
  function mend(words, check) {
    const syndromes = Array.from({ length: check }, (_, at) => words.reduce((sum, word) => times(sum, POWER[at]) ^ word, 0));
    if (syndromes.every((each) => !each)) return true;
    const { errorLocator, length } = locator(syndromes);
    if (2 * length > check) return false;
    const wrong = words.map((_, at) => words.length - 1 - at).filter((power) => !valueAt(errorLocator, POWER[255 - power % 255]));
    if (wrong.length !== length) return false;
    const size = syndromes.map((_, at) => errorLocator.slice(0, at + 1).reduce((sum, value, i) => sum ^ times(value, syndromes[at - i]), 0));
    const slope = errorLocator.slice(1).map((value, at) => (at % 2 ? 0 : value));
    for (const power of wrong) {
      const inverse = POWER[255 - power % 255];
      const by = times(POWER[power % 255], times(valueAt(size, inverse), POWER[255 - LOG[valueAt(slope, inverse)]]));
      words[words.length - 1 - power] ^= by;
    }
    return true;
  }

  // Bytes are UTF-8, as is usual now, or Latin-1, as in the original standard.
  function lettersOf(octets) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(octets);
    } catch {
      return new TextDecoder("iso-8859-1").decode(octets);
    }
  }

  function textOf(bytes, version) {
    let at = 0;
    const bitsLeft = () => bytes.length * 8 - at;
    const take = (bits) => {
      let value = 0;
      for (let end = at + bits; at < end; at += 1) value = value * 2 + (bytes[at >> 3] >> (7 - (at & 7)) & 1);
      return value;
    };
    const [digits, letters, octets] = version < 10 ? [10, 9, 8] : [12, 11, 16];
    let text = "";
    while (bitsLeft() >= 4) {
      const mode = take(4);
      if (mode === 0) break;
      if (mode === 7) take(8);
      else if (mode === 1) {
        for (let count = take(digits); count > 0; count -= 3) {
          const some = Math.min(count, 3);
          text += String(take([0, 4, 7, 10][some])).padStart(some, "0");
        }
      } else if (mode === 2) {
        for (let count = take(letters); count > 0; count -= 2) {
          const pair = take(count > 1 ? 11 : 6);
          text += count > 1 ? LETTERS[Math.floor(pair / 45)] + LETTERS[pair % 45] : LETTERS[pair];
        }
      } else if (mode === 4) {
        text += lettersOf(Uint8Array.from({ length: take(octets) }, () => take(8)));
      } else return null;
    }
    return bitsLeft() < 0 ? null : text;
  }

  // `get(x, y)` says whether a module is dark; null where the modules hold no code that can be read.
  window.RingsideCodeWords = (get, size) => {
    const version = (size - 17) / 4;
    const shape = format(get, size);
    if (!shape || !BLOCKS[version - 1]) return null;
    const sizes = BLOCKS[version - 1][shape.level];
    const blocks = blocksOf(codewords(get, size, version, shape.mask), sizes);
    if (!blocks.every((each) => mend(each.words, sizes[0]))) return null;
    return textOf(blocks.flatMap((each) => each.words.slice(0, each.data)), version);
  };
})();
