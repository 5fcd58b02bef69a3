import type { ChangedLine } from '../../../../src/reading/line-changes.ts';

/** Unchanged lines that are shown around a change. */
const AROUND = 3;

/** The changed lines with those around them. A number stands for so many unchanged lines that are left out. */
export function shownLines(lines: readonly ChangedLine[]): readonly (ChangedLine | number)[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ change }, at) => {
    if (change !== 'same') isNear.fill(1, Math.max(at - AROUND, 0), at + AROUND + 1);
  });
  const shown: (ChangedLine | number)[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (isNear[at] === 1) shown.push(line);
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1;
    else shown.push(1);
  });
  return shown;
}
