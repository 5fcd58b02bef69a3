import { z } from 'zod';

import type { Frozen, Row } from '../../core/run.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { document } from './document.ts';
import { pageOf, pageQuery, several } from './page.ts';

const VERDICTS = ['passed', 'failed', 'errored', 'skipped', 'cancelled'] as const;
const STATUSES = [
  'passed',
  'failed',
  'errored',
  'skipped',
  'cancelled',
  'expected-failed',
  'unexpected-passed',
] as const;

/** A trial in a list. */
export const trial = z.object({
  number: z.number().int().meta({ description: 'position in the plan, from 1' }),
  key: z.string(),
  suite: z.string(),
  case_id: z.string(),
  case_name: z.string().nullable().meta({ description: 'name of a stored case when the run was planned' }),
  target: z.string(),
  repetition: z.number().int(),
  attempts: z.number().int(),
  verdict: z.enum(VERDICTS),
  status: z.enum(STATUSES),
  score: z.number().nullable(),
  threshold: z.number(),
  fallen_gates: z.array(z.string()).readonly(),
  failure_class: z.string().nullable(),
  stage: z.string().nullable(),
  kind: z.string().nullable().meta({ description: 'kind of the error, or reason of the skip' }),
  message: z.string().nullable().meta({ description: 'message of the error' }),
  reason: z.string().nullable().meta({
    description: 'why it did not pass, in one line; null: it passed, or failed as expected',
  }),
  flags: z.array(z.string()).readonly(),
  tags: z.array(z.string()).readonly(),
  difficulty: z.string().nullable(),
  turns: z.number().int(),
  duration_ms: z.number(),
  cost_usd: z.number().nullable().meta({
    description:
      'cost of agent, judges and users in US dollars; null if a part is unknown or nothing was spent',
  }),
  cached_from: z.string().nullable().meta({
    description: 'the run whose agent gave the answer, if it is cached; null: the agent was asked',
  }),
  started_at: z.string(),
  ended_at: z.string(),
});
export type TrialResource = z.infer<typeof trial>;

export const trialsQuery = z.strictObject({
  verdict: several(z.enum(VERDICTS)),
  status: several(z.enum(STATUSES)),
  stage: z.string().optional(),
  kind: z.string().optional(),
  failure_class: z.string().optional(),
  grader: z.string().optional().meta({ description: 'only trials in which this grade did not pass' }),
  suite: z.string().optional(),
  test_case_id: z.string().optional(),
  target: several(z.string()),
  tag: several(z.string()),
  difficulty: several(z.string()),
  flag: z.string().optional(),
  search: z.string().optional().meta({ description: 'part of the case id, the answer or a reason' }),
  sort: z
    .enum(['number', '-number', 'score', '-score', 'duration_ms', '-duration_ms', 'cost_usd', '-cost_usd'])
    .default('number'),
  ...pageQuery,
});

export const trials = pageOf(trial);

export const wholeTrialQuery = z.strictObject({
  grading: z.string().min(1).optional().meta({ description: 'id of a run that graded this run again' }),
});

/** One trial with all its details. */
export const wholeTrial = z.object({
  ...trial.shape,
  grading: z.string().nullable().meta({
    description: 'the run that graded it again, if the request named one; files come from the graded run',
  }),
  row: document<Row>('Row', 'one line of results.jsonl'),
  frozen: z.array(document<Frozen>('Frozen', 'the graders, frozen when the run used them')).readonly(),
  artifacts: z
    .array(z.object({ attempt: z.number().int(), name: z.string(), bytes: z.number().int() }))
    .readonly(),
  repetitions: z
    .array(
      trial.pick({ number: true, key: true, repetition: true, verdict: true, status: true, score: true }),
    )
    .readonly(),
  judges: z
    .array(
      z.object({
        grade: z.string(),
        model: z.string().nullable(),
        says: z.string().meta({ description: 'agreement with people, or "not calibrated"' }),
      }),
    )
    .readonly(),
});
export type WholeTrial = z.infer<typeof wholeTrial>;

export const transcriptQuery = z.strictObject({ ...pageQuery });
export const transcript = z.object({
  ...pageOf(document<TranscriptEntry>('TranscriptEntry', 'one entry of a transcript')).shape,
  turns: z
    .array(
      z.object({
        turn: z.number().int().meta({ description: 'as in the entries of the log' }),
        latency_ms: z.number(),
      }),
    )
    .readonly()
    .meta({
      description: 'duration of each agent turn, for the whole transcript and not only for this page',
    }),
});
