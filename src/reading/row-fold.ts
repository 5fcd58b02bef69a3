import type { Row } from '../core/run.ts';
import { countedOf, emptyTally, tallied, type Tally } from './tally.ts';

/** The totals of rows as a JSON document, for stores that keep it with the run. */
export const TALLY_FOLD = {
  empty: emptyTally as unknown,
  add: (document: unknown, row: Row): unknown => tallied(document as Tally, countedOf(row)),
  remove: (document: unknown, row: Row): unknown => tallied(document as Tally, countedOf(row), -1),
};
