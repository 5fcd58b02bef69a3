import type { Row } from '../core/run.ts';

/** The values of all measured repetitions of each case. */
export interface CaseValues {
  add(row: Row): void;
  /** One list per case and target. */
  lists(): readonly (readonly number[])[];
}

export function collectValues(on: 'score' | 'passed'): CaseValues {
  const lists = new Map<string, number[]>();
  return {
    add: (row) => {
      if (row.verdict !== 'passed' && row.verdict !== 'failed') return;
      const key = `${row.suite}\n${row.caseId}\n${row.target}`;
      const list = lists.get(key) ?? [];
      lists.set(key, list);
      list.push(on === 'score' ? (row.score ?? Number.NaN) : row.verdict === 'passed' ? 1 : 0);
    },
    lists: () => [...lists.values()],
  };
}
