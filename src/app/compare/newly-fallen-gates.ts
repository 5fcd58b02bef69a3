import type { ComparedCase } from '../../core/run-comparison.ts';
import type { Row } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';

interface ReadSide {
  readonly run: StoredRun;
  readonly target: string;
}

interface FallenSides {
  readonly base: ReadSide;
  readonly candidate: ReadSide;
}

type PassedLess = ComparedCase & { readonly base: number };

/** This many trials are enough to find the gates. */
const MOST_ROWS = 500;

/** The gates that newly fail in these cases, the most frequent first. With many cases, the last ones may be missing. */
export async function newlyFallenGates(
  passedLess: readonly PassedLess[],
  { base, candidate }: FallenSides,
): Promise<readonly string[]> {
  if (passedLess.length === 0) return [];
  const clean = passedLess.filter((each) => each.base === 1);
  // If a case always passed before, each failed gate is new.
  const cases = clean.length > 0 ? clean : passedLess;
  const after = await fallenIn(cases, candidate);
  const before = clean.length > 0 ? new Map<string, number>() : await fallenIn(cases, base);
  const counts = new Map<string, number>();
  for (const [place, count] of after) {
    const more = count - (before.get(place) ?? 0);
    const [, , gate = ''] = JSON.parse(place) as readonly string[];
    if (more > 0) counts.set(gate, (counts.get(gate) ?? 0) + more);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([gate]) => stripControls(gate));
}

/** How often each gate failed in each case. */
async function fallenIn(
  cases: readonly ComparedCase[],
  { run, target }: ReadSide,
): Promise<ReadonlyMap<string, number>> {
  const wanted = idsBySuite(cases);
  const isWanted = ({ suite, caseId }: Row) => wanted.get(suite)?.has(caseId) === true;
  const counts = new Map<string, number>();
  let rows = 0;
  for await (const row of run.unpassed()) {
    if (row.verdict !== 'failed' || row.target !== target || !isWanted(row)) continue;
    for (const gate of row.fallenGates) {
      const place = JSON.stringify([row.suite, row.caseId, gate]);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    rows += 1;
    if (rows === MOST_ROWS) break;
  }
  return counts;
}

function idsBySuite(cases: readonly ComparedCase[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bySuite = new Map<string, Set<string>>();
  for (const { suite, caseId } of cases) {
    let ids = bySuite.get(suite);
    if (ids === undefined) bySuite.set(suite, (ids = new Set()));
    ids.add(caseId);
  }
  return bySuite;
}
