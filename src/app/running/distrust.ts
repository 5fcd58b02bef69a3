import { IMPOSSIBLE_PASSED, type Row } from '../../core/run.ts';

/** Collects reasons why the results of a run cannot be trusted. */
export interface Distrust {
  add(row: Row): void;
  /** A sentence without its full stop; undefined if there is no reason. */
  why(): string | undefined;
}

export function distrustOf(): Distrust {
  const impossible: Row[] = [];
  let changed: Row | undefined;
  return {
    add(row) {
      if (row.flags?.includes(IMPOSSIBLE_PASSED) === true) impossible.push(row);
      if (foundTampering(row)) changed ??= row;
    },
    why() {
      const [first] = impossible;
      if (first !== undefined) {
        return `Target ${first.target} passed ${first.caseId}, which nobody can pass without cheating`;
      }
      return changed?.error === undefined ? undefined : `Tampered: ${changed.error.message}`;
    },
  };
}

/** Whether what grades had changed when this trial was graded. */
export function foundTampering({ error }: Pick<Row, 'error'>): boolean {
  return error?.detail === 'evidence-changed';
}
