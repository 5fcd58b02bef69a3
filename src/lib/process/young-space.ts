// Where V8 keeps young objects. Node 20 lets it grow to 32 MB and Node 24 to 128 MB, which saves 2 % of the time. How
// large it may become is decided before any code runs; whether it grows is not.

const MOST_BYTES = 16e6;
const LOOK_MS = 10;

let isHeld = false;

/** Keeps it as it is: loading makes much that lasts, does not pause, and would have it grow to its end. */
export function holdYoungSpace(): void {
  if (Number.parseInt(process.versions.node, 10) < 24) return;
  isHeld = true;
  growBy(1);
}

/** Where it was held: lets it grow, and stops that at 16 MB: beyond, time no longer tells. */
export function letYoungSpaceGrow(): void {
  if (!isHeld) return;
  isHeld = false;
  growBy(2);
  const looks = setInterval(() => {
    if (youngBytes() < MOST_BYTES) return;
    growBy(1);
    clearInterval(looks);
  }, LOOK_MS).unref();
}

function growBy(factor: 1 | 2): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function youngBytes(): number {
  const spaces = process.getBuiltinModule('node:v8').getHeapSpaceStatistics();
  return spaces.find(({ space_name: name }) => name === 'new_space')?.space_size ?? MOST_BYTES;
}
