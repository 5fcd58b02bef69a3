import * as z from 'zod';

import { LIMIT_NAMES, OPTION_NAMES } from '../../core/request-names.ts';
import { runLine, runTags } from '../../core/run-names.ts';
import type { RequestedSettings, RunOptions } from '../../core/run-options.ts';
import type { JsonObject } from '../../lib/json.ts';
import { given } from '../../lib/given.ts';
import { restored } from '../../lib/renamed.ts';
import { snakeKeys } from '../../lib/text/key-case.ts';
import type { Fault } from '../yaml/fault.ts';
import { unknownTarget } from './references.ts';
import { caseSelector, selectorOf } from './requested-cases.ts';
import { readRunRequest } from './run-request.ts';
import { limits as configLimits } from './schema.ts';
import { soundPart, withoutFaulty } from './sound-part.ts';

/** A run that a server is asked to start. */
export interface StartRequest {
  readonly options: RunOptions;
  /** Agents of the store that it tests, besides the targets of the options. */
  readonly agents: readonly { readonly id: string; readonly version?: number | undefined }[];
  /** What people call it. */
  readonly named: {
    readonly name?: string;
    readonly note?: string;
    readonly line?: string;
    readonly tags?: readonly string[];
  };
  /** Is compared with the baseline that holds for its targets and its line. */
  readonly wantsBaseline: boolean;
  /** Only plans it. */
  readonly isDry: boolean;
}

const count = z.int().min(1);
const countOrNone = z.int().min(0);
const text = z.string().min(1);
const limits = z.strictObject({
  ...snakeKeys(configLimits.shape),
  max_cost_usd: z.number().min(0).nullable().optional(),
});

const schema = z.strictObject({
  name: z.string().min(1).max(255).optional(),
  note: z.string().optional(),
  line: runLine.optional(),
  tags: runTags.optional(),
  agents: z
    .array(z.strictObject({ id: text, version: count.optional() }))
    .min(1)
    .optional(),
  targets: z.array(text).min(1).optional(),
  select: caseSelector,
  repetitions: count.optional(),
  user: z.unknown().optional(),
  judge: z.unknown().optional(),
  expectations: z.unknown().optional(),
  faults: z.unknown().optional(),
  limits: limits.optional(),
  on_limit: z.enum(['error', 'grade']).optional(),
  first_speaker: z.enum(['user', 'agent']).optional(),
  difficulty_weights: z
    .strictObject({ normal: z.number().min(0).optional(), hard: z.number().min(0).optional() })
    .optional(),
  concurrency: count.optional(),
  budget_usd: z.number().min(0).optional(),
  allow_unknown_cost: z.boolean().optional(),
  max_errored: countOrNone.optional(),
  threshold: z.number().min(0).max(1).optional(),
  fail_fast: z.boolean().optional(),
  strict: z.boolean().optional(),
  sample: count.optional(),
  limit: count.optional(),
  gates: z.array(text).optional(),
  seed: countOrNone.optional(),
  baseline: z.union([z.strictObject({ run_id: text, target: text.optional() }), z.literal(true)]).optional(),
  dry_run: z.boolean().optional(),
});

type Written = z.output<typeof schema>;

/**
 * Checks the body of a request to start a run. Returns all mistakes, and the valid remainder, so that the rest can
 * be checked too. `targets`: names of the config's.
 */
export function readStartRequest(
  body: unknown,
  targets: readonly string[],
): { readonly request?: StartRequest; readonly faults: readonly Fault[] } {
  const { sound, faults: wrong } = soundPart(schema, body);
  if (sound === undefined) return { faults: wrong };
  const asked = given({
    judge: sound.judge,
    user: sound.user,
    expectations: sound.expectations,
    faults: sound.faults,
  });
  const settled = readRunRequest(asked, targets);
  const request = settled.request ?? readRunRequest(withoutFaulty(asked, settled.faults), targets).request;
  const unknown = (sound.targets ?? []).flatMap((name, index) =>
    targets.includes(name) ? [] : [unknownTarget(name, targets, ['targets', index])],
  );
  const faults = [...wrong, ...settled.faults, ...unknown];
  const known = { ...sound, targets: sound.targets?.filter((name) => targets.includes(name)) };
  return { request: startOf(known, request ?? {}), faults };
}

function startOf(
  {
    name,
    note,
    line,
    tags,
    ...written
  }: Omit<Written, 'targets'> & { readonly targets?: readonly string[] | undefined },
  request: object,
): StartRequest {
  const { baseline, agents = [], targets = [] } = written;
  const requested: RequestedSettings = given({
    laid: Object.keys(request).length === 0 ? undefined : (request as JsonObject),
    limits: written.limits && restored(written.limits, LIMIT_NAMES),
    difficultyWeights: written.difficulty_weights && given(written.difficulty_weights),
  });
  const options: RunOptions = {
    patterns: [],
    stored: true,
    cases: [],
    targets,
    select: selectorOf(written.select),
    ...(Object.keys(requested).length === 0 ? {} : { request: requested }),
    ...restored(written, OPTION_NAMES),
    ...given({
      baseline: referenceOf(baseline),
    }),
  };
  return {
    options,
    agents,
    named: given({ name, note, line, tags }),
    wantsBaseline: baseline === true,
    isDry: written.dry_run === true,
  };
}

function referenceOf(baseline: Written['baseline']): string | undefined {
  if (baseline === undefined || baseline === true) return undefined;
  return baseline.target === undefined ? baseline.run_id : `${baseline.run_id}#${baseline.target}`;
}
