import type { Row, RunEvent } from '../../core/run.ts';
import type { Ends } from '../../core/run-store.ts';
import { trialKey } from '../../core/trial.ts';

/** A stored row. Earlier versions wrote no number. */
export type WrittenRow = Omit<Row, 'number'> & { readonly number?: number };

/** A row with its number. Without a stored number, it gets the position of its first end among all trials. */
export function numberedRow(row: WrittenRow, placeOf: (trial: string) => number): Row {
  return isNumbered(row) ? row : { number: placeOf(trialKey(row)), ...row };
}

/** Numbers the rows of a log that is read from its first event. */
export function rowNumbers(): (row: WrittenRow) => Row {
  const places = new Map<string, number>();
  const placeOf = (trial: string): number => {
    const place = places.get(trial) ?? places.size + 1;
    places.set(trial, place);
    return place;
  };
  return (row) => numberedRow(row, placeOf);
}

/** The same for rows in any order. `ends` is called at most once, if a row has no number. */
export function laterRowNumbers(ends: () => Promise<Ends>): (row: WrittenRow) => Promise<Row> | Row {
  let known: Promise<Ends> | undefined;
  return (row) => {
    if (isNumbered(row)) return row;
    return (known ??= ends()).then(({ placeOf }) => numberedRow(row, placeOf));
  };
}

function isNumbered(row: WrittenRow): row is Row {
  return row.number !== undefined;
}

/** An event with a numbered row. `numbered` must have seen all earlier rows. */
export function numberedEvent(event: RunEvent, numbered: (row: WrittenRow) => Row): RunEvent {
  const { fact } = event;
  if (fact.type !== 'trial-end') return event;
  const row = numbered(fact.row);
  return row === fact.row ? event : { ...event, fact: { type: 'trial-end', row } };
}
