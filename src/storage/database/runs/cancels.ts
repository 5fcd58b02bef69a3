import type { RunCancels } from '../../../core/run-cancels.ts';
import type { RunState } from '../../../core/run.ts';
import type { Database } from '../database.ts';
import { plainText } from '../plain-text.ts';

/** Cancels runs of a database, whichever process executes them. */
export function databaseCancels({ query }: Pick<Database, 'query'>): RunCancels {
  return {
    async ask(run) {
      const [asked] = await query(
        `update run set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
         where id = $1 and lease_until >= clock_timestamp() and origin <> 'upload'
           and state in ('queued', 'running', 'stopping')
         returning id`,
        [plainText(run)],
      );
      if (asked !== undefined) return 'asked';
      const [now] = await query<{ state: RunState }>('select state from run where id = $1', [plainText(run)]);
      return now?.state === 'queued' ? 'waiting' : 'ended';
    },
    async isAsked(run) {
      const asked = 'select 1 from run where id = $1 and cancel_requested_at is not null';
      return (await query(asked, [plainText(run)])).length > 0;
    },
  };
}
