import { z } from 'zod';

import { runLine, runTags } from '../../core/run-names.ts';
import { document } from './document.ts';

type Body = Readonly<Record<string, unknown>>;

/** Checked as a whole: its answer names all mistakes at once. */
export const startBody = document<Body>(
  'RunRequest',
  [
    '`name`, `note`, `line`, `tags`, `targets` (names of targets of the config), `agents` (`[{"id", "version"}]`; `id`: id or name of an agent of the store; without `version` its newest),',
    '`select` (`{"set", "id", "tag_any", "tag_all", "status", "difficulty", "search"}`), `repetitions`, `user`, `judge`, `expectations`, `faults`, `limits`, `on_limit`, `first_speaker`, `difficulty_weights`, `concurrency`, `budget_usd`, `allow_unknown_cost`, `max_errored`, `threshold`, `fail_fast`, `sample`, `limit`, `gates`, `strict`, `seed`, `baseline` (`{"run_id", "target"}`, or `true` for the current baseline), `dry_run`; for keys that are left out, the config applies',
  ].join(' '),
);

export const resumeBody = document<Body>(
  'ResumeRequest',
  '`retry` (errored, cancelled), `budget_usd`, `allow_unknown_cost`, `concurrency`, `accept_changes`',
);

export const regradeBody = document<Body>(
  'RegradeRequest',
  '`judge`, `expectations`, `select`, `target` (only the trials of this target), `budget_usd` and `allow_unknown_cost` (of the judges)',
);

/** What people may change of a run; absent ones stay. */
export const runChange = z.strictObject({
  name: z.string().min(1).max(255).nullable().optional(),
  note: z.string().nullable().optional(),
  line: runLine.nullable().optional(),
  tags: runTags.optional(),
  archived: z.boolean().optional(),
});

/** Nothing, or an empty object. */
export const nothing = z.strictObject({});
