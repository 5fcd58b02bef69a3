import type { RunIndex } from '../../../core/run-index.ts';
import type { Row } from '../../../core/run.ts';
import { trialKey } from '../../../core/trial.ts';
import { laterRowNumbers, type WrittenRow } from '../../runs/row-numbers.ts';
import type { Parameter } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { markedCases } from './marked-cases.ts';
import { endsOf, wholeEvents } from './read-events.ts';
import { endedRows } from './read-rows.ts';
import type { RunPlace } from './run-room.ts';
import { trialCondition, trialOrder } from './trial-filter.ts';

/** Asks the tables of a run instead of reading its rows and its log as a whole. */
export function runIndex(place: RunPlace): RunIndex {
  const { database, id } = place;
  const rowsIn = async (rest: string, parameters: readonly Parameter[]): Promise<readonly Row[]> => {
    const found = await database.query<{ row: string }>(`select row from trial where ${rest}`, parameters);
    const numbered = laterRowNumbers(() => endsOf(place));
    return await Promise.all(found.map(async ({ row }) => numbered(JSON.parse(row) as WrittenRow)));
  };
  return {
    trials(filter, order, { limit, after }) {
      const { where, parameters } = trialCondition(id, filter, { ...order, after });
      return rowsIn(`${where} order by ${trialOrder(order)} limit ${limit}`, parameters);
    },
    async trial(named) {
      const asked = /^[1-9]\d{0,8}$/.test(named)
        ? { where: 'number = $2', value: Number(named) }
        : { where: 'key = $2', value: plainText(named) };
      const [row] = await rowsIn(`run_id = $1 and ended_sequence is not null and ${asked.where}`, [
        id,
        asked.value,
      ]);
      return row;
    },
    repetitions({ suite, caseId, target }) {
      // Keys differ only in the number at their end, before which is an `r`, and which are in one range of their index.
      const beginning = plainText(trialKey({ suite, caseId, target, repetition: 1 })).slice(0, -1);
      return rowsIn(
        `run_id = $1 and ended_sequence is not null and key > $2 and key < $3 order by repetition`,
        [id, beginning, `${beginning}:`],
      );
    },
    marks: (page) => markedCases(place, page),
    async *endedAfter(sequence) {
      for await (const { row, ended } of endedRows(place, { after: sequence }))
        yield { row, sequence: ended };
    },
    wholeEvents: (after) => wholeEvents(place, after),
    async tally() {
      const [run] = await database.query<{ tally: string | null; last_sequence: number }>(
        'select tally, last_sequence from run where id = $1',
        [id],
      );
      const { tally = null, last_sequence: lastSequence = 0 } = run ?? {};
      return { tally: tally === null ? null : (JSON.parse(tally) as unknown), lastSequence };
    },
  };
}
