import type { MaterialLine } from './fence.ts';
import type { MaterialPart } from './material.ts';

/** Characters of a line in addition to its value: label, quotes, the note about left out text. */
const LINE_OVERHEAD = 60;

/**
 * Shortens the longest parts to head and tail so that all parts fit, and adds notes about the left out text. Short
 * parts stay whole. `sizeOf` is the length of a line as the judge sees it.
 */
export function headAndTail(
  parts: readonly MaterialPart[],
  budget: number,
  sizeOf: (line: MaterialLine) => number,
): readonly MaterialPart[] {
  const sizes = parts.map(({ lines }) => lines.reduce((sum, line) => sum + sizeOf(line) + 1, 0));
  const limit = levelFor(sizes, budget);
  return parts.map((part, i) =>
    (sizes[i] ?? 0) <= limit ? part : { ...part, lines: shortened(part, limit, sizeOf) },
  );
}

/** The maximum length per part with which all parts fit. */
function levelFor(sizes: readonly number[], budget: number): number {
  const ascending = sizes.toSorted((left, right) => left - right);
  let left = budget;
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function shortened(
  { name, lines }: MaterialPart,
  limit: number,
  sizeOf: (line: MaterialLine) => number,
): readonly MaterialLine[] {
  const half = Math.floor((limit - 2 * LINE_OVERHEAD) / 2);
  if (lines.length === 1 && lines[0] !== undefined) return cutLine(lines[0], half, sizeOf);
  const head = fitting(lines, half, sizeOf);
  const tail = fitting(lines.slice(head.length).toReversed(), half, sizeOf).toReversed();
  const leftOut = lines.length - head.length - tail.length;
  const note = { label: `(left out of ${name})`, value: `${leftOut} of ${lines.length} lines` };
  return [...head, note, ...tail];
}

/** The first lines that fit completely. */
function fitting(
  lines: readonly MaterialLine[],
  budget: number,
  sizeOf: (line: MaterialLine) => number,
): readonly MaterialLine[] {
  let left = budget;
  const kept: MaterialLine[] = [];
  for (const line of lines) {
    left -= sizeOf(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return kept;
}

function cutLine(
  { label, value }: MaterialLine,
  half: number,
  sizeOf: (line: MaterialLine) => number,
): readonly MaterialLine[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const fits = (piece: string): boolean => sizeOf({ label, value: piece }) <= half;
  const head = text.slice(
    0,
    most(text.length, (count) => fits(text.slice(0, count))),
  );
  const rest = text.slice(head.length);
  const tail = rest.slice(rest.length - most(rest.length, (count) => fits(rest.slice(rest.length - count))));
  const leftOut = text.length - head.length - tail.length;
  return [
    { label: `${label} (first ${head.length} characters)`, value: head },
    { label: `(left out of ${label})`, value: `${leftOut} of ${text.length} characters` },
    { label: `${label} (last ${tail.length} characters)`, value: tail },
  ];
}

/** The largest count that fits, if every smaller count fits too. */
function most(limit: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
