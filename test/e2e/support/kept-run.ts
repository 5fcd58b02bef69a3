import type { Fact } from '../../../src/core/run.ts';
import { serverDatabase } from '../../../src/storage/database/server-database.ts';

/** An event, with the lease under which it was written. */
export interface KeptEvent {
  readonly sequence: number;
  readonly trial: string | null;
  readonly lease: string;
  readonly fact: Fact;
}

/** What is stored of a run, without the times of its rows. */
export async function keptRun(url: string, run: string) {
  const database = await serverDatabase(url);
  const ask = (sql: string) => database.query<Readonly<Record<string, unknown>>>(sql, [run]);
  try {
    const events = await ask(
      'select sequence, trial_key as trial, lease, fact from run_event where run_id = $1 order by sequence',
    );
    const [handed] = await ask('select count(*) as left from handed_trial where run_id = $1');
    return {
      events: events.map(({ fact, ...event }) => ({
        ...event,
        fact: JSON.parse(String(fact)) as Fact,
      })) as unknown as readonly KeptEvent[],
      handed: handed?.['left'],
      trials: await ask('select * from trial where run_id = $1 order by number'),
      grades: await ask('select * from grade where run_id = $1 order by trial_number, ordinal'),
      run: await ask('select state, tally, spent_usd, reserved_usd, last_sequence from run where id = $1'),
    };
  } finally {
    await database.close();
  }
}

/** The trials that have no outcome. */
export function erroredIn(events: readonly KeptEvent[]): readonly string[] {
  return events.flatMap(({ trial, fact }) =>
    trial !== null && fact.type === 'trial-end' && fact.row.verdict === 'errored' ? [trial] : [],
  );
}

/** What is wrong with the log of a run of so many trials. */
export function faultsIn(events: readonly KeptEvent[], planned: number): readonly string[] {
  const faults = events.flatMap(({ sequence }, index) =>
    sequence === index + 1 ? [] : [`${sequence} is number ${index + 1}`],
  );
  const conductors = new Set(events.flatMap(({ trial, lease }) => (trial === null ? [lease] : [])));
  const trials = new Map<string, KeptEvent[]>();
  for (const event of events)
    if (event.trial !== null) trials.set(event.trial, [...(trials.get(event.trial) ?? []), event]);
  if (trials.size !== planned) faults.push(`${trials.size} trials`);
  for (const [trial, ofTrial] of trials)
    faults.push(...lifeOf(ofTrial, conductors).map((fault) => `${trial}: ${fault}`));
  return faults;
}

/** What is wrong with a trial: doubled ends, attempts out of order, and what a lost worker wrote later. */
function lifeOf(events: readonly KeptEvent[], conductors: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  const gone = new Set<string>();
  let [last, attempts, isOpen, hasEnded] = ['', 0, false, false];
  for (const { sequence, lease, fact } of events) {
    if (hasEnded && fact.type !== 'note') faults.push(`${fact.type} (${sequence}) behind its end`);
    if (lease !== last && !conductors.has(last)) gone.add(last);
    if (gone.has(lease)) faults.push(`${fact.type} (${sequence}) under a lost lease`);
    last = lease;
    if (fact.type === 'attempt-start') {
      if (isOpen) faults.push(`an attempt (${sequence}) within another one`);
      [isOpen, attempts] = [true, attempts + 1];
    }
    if (fact.type === 'attempt-end') isOpen = false;
    if (fact.type !== 'trial-end') continue;
    if (isOpen) faults.push(`its end (${sequence}) within an attempt`);
    hasEnded = true;
    if (fact.row.attempts.length < attempts)
      faults.push(`${fact.row.attempts.length} of ${attempts} attempts in its row`);
  }
  if (!hasEnded) faults.push('no end');
  return faults;
}
