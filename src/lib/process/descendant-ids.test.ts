import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { descendantIds, idsInUse, idsToTry } from './descendant-ids.ts';
import { hasProcessTable } from './process-table.ts';

describe.skipIf(!hasProcessTable)('the ids of descendants', () => {
  test('hold a child that was just started, and the ids in use name it', async () => {
    const startedAtMs = performance.now();
    const child = spawn('cat');
    const pid = child.pid!;
    const range = descendantIds([{ pid, startedAtMs }]);
    expect(range.lowest).toBeLessThanOrEqual(pid);
    expect(range.highest).toBeGreaterThanOrEqual(pid);
    expect(idsInUse(range)).toContain(pid);
    child.stdin.end();
    await once(child, 'close');
  });

  test('are any after so long a time that the numbering may have begun anew', () => {
    const range = descendantIds([{ pid: process.pid, startedAtMs: performance.now() - 3_600_000 }]);
    expect(range).toEqual({ lowest: 1, highest: Infinity });
    expect(idsToTry(range)).toBeUndefined();
    expect(idsInUse(range)).toContain(process.pid);
  });
});

test('a short range is tried id by id, a long one is not', () => {
  expect(idsToTry({ lowest: 7, highest: 10 })).toEqual([7, 8, 9, 10]);
  expect(idsToTry({ lowest: 7, highest: 7_000 })).toBeUndefined();
});
