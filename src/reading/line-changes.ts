export interface ChangedLine {
  readonly change: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The lines of two texts as one list with the fewest changes. In very long texts, the whole changed middle is replaced. */
export function lineChanges(before: readonly string[], after: readonly string[]): readonly ChangedLine[] {
  const [oldRest, newRest] = [before.length, after.length];
  let start = 0;
  while (start < oldRest && start < newRest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(oldRest, newRest) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const middle = { old: before.slice(start, oldRest - end), now: after.slice(start, newRest - end) };
  return [
    ...marked('same', before.slice(0, start)),
    ...(middle.old.length * middle.now.length > MOST_PAIRS ? replaced(middle) : aligned(middle)),
    ...marked('same', before.slice(oldRest - end)),
  ];
}

/** Most pairs of lines, which are compared in about 50 ms. */
const MOST_PAIRS = 4_000_000;

interface Middle {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

function marked(change: ChangedLine['change'], lines: readonly string[]): readonly ChangedLine[] {
  return lines.map((text) => ({ change, text }));
}

function replaced({ old, now }: Middle): readonly ChangedLine[] {
  return [...marked('removed', old), ...marked('added', now)];
}

/** Uses the longest common subsequence. For equal options, removed lines come first. */
function aligned({ old, now }: Middle): readonly ChangedLine[] {
  const width = now.length + 1;
  const kept = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => kept[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      kept[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      changes.push({ change: 'same', text: was });
      i += 1;
      j += 1;
    } else if (was !== undefined && (is === undefined || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ change: 'removed', text: was });
      i += 1;
    } else {
      changes.push({ change: 'added', text: is ?? '' });
      j += 1;
    }
  }
  return changes;
}
