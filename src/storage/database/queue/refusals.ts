import type { Database } from '../database.ts';
import { plainText } from '../plain-text.ts';

/** The runs that a worker takes no trials of. */
export interface Refusals {
  has(run: string): boolean;
  /** Refuses a run from now on, also when the reason cannot be written now. */
  tell(run: string, reason: string): Promise<void>;
  /** Writes the reasons that could not be written before. */
  tellAgain(): Promise<void>;
}

/** `worker`: its id. */
export function openRefusals({ query }: Database, worker: string): Refusals {
  const refused = new Set<string>();
  const unwritten = new Map<string, string>();
  const write = async (run: string, reason: string): Promise<void> => {
    await query(REFUSE, [worker, run, plainText(reason)]);
    unwritten.delete(run);
  };
  return {
    has: (run) => refused.has(run),
    async tell(run, reason) {
      refused.add(run);
      unwritten.set(run, reason);
      await write(run, reason);
    },
    async tellAgain() {
      for (const [run, reason] of unwritten) await write(run, reason);
    },
  };
}

/** A run may have been removed before its reason is written. */
const REFUSE = `
  insert into worker_refusal (worker_id, run_id, reason) select $1, id, $3 from run where id = $2
  on conflict (worker_id, run_id) do update set reason = excluded.reason, at = clock_timestamp()`;
