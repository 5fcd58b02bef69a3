import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { TOKEN_METRICS } from '../../core/session-report.ts';
import { eachToolOnce, mocks } from '../yaml/world-grammar.ts';
import { configFault } from './config-fault.ts';
import { judgeChoice, metric, scriptedUser, simulatedUser } from './conversation-parts.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';
import { weightKey } from '../../core/verdict.ts';
import { jsonMapping, textMapping } from '../../lib/text/json-value.ts';

/** Said of keys that are checked already and used by a later release. */
const LATER = 'Checked; used by a later release.';

const text = z.string().min(1);
const count = z.int().min(1);
const countOrNone = z.int().min(0);
const texts = z.array(text);
const json = jsonMapping();
const environment = textMapping();
const ceiling = z.number().positive().nullable().optional();
const countCeiling = count.nullable().optional();

const price = z.strictObject({
  input: z.number().min(0).describe('USD per million tokens.'),
  output: z.number().min(0).describe('USD per million tokens.'),
  cacheRead: z.number().min(0).optional().describe('USD per million tokens.'),
  cacheWrite: z.number().min(0).optional().describe('USD per million tokens.'),
});

const tool = z.strictObject({
  name: text,
  description: z.string().optional(),
  parameters: json.optional(),
  terminating: z.boolean().optional(),
});

/** The keys that targets of all types share. */
export const commonTargetKeys = z
  .strictObject({
    type: text,
    judge: judgeChoice.optional().describe('Its judge, where evals name none.'),
    maxParallel: count.optional().describe('Trials at once on this target, within `run.concurrency`.'),
    timeoutMs: timeLimitMs().optional().describe('Of one turn, in milliseconds.'),
    idleTimeoutMs: timeLimitMs().optional().describe('Longest silence, in milliseconds.'),
    retryInfrastructure: countOrNone
      .optional()
      .describe(
        'How often an attempt is repeated after an error of the infrastructure, never after a failure.',
      ),
    passEnv: texts
      .optional()
      .describe('Environment variables that its processes get besides the usual ones.'),
    env: environment.optional().describe('Environment variables of its processes.'),
    tools: z
      .array(tool)
      .superRefine(eachToolOnce)
      .optional()
      .describe('Tools it may call, for mocks to answer.'),
    mocks: mocks
      .optional()
      .describe(
        'Answers of its tools, for every case; those that a case has for a tool stand in their place.',
      ),
    price: price.optional().describe('Of its tokens, over the built-in table.'),
  })
  .superRefine(({ tools = [], mocks: answers = [] }, context) => {
    for (const [index, { tool: name }] of answers.entries()) {
      if (tools.some((declared) => declared.name === name)) continue;
      const message = `there is a mock for the tool "${name}", which \`tools\` of the target does not declare`;
      context.addIssue({
        code: 'custom',
        path: ['mocks', index, 'tool'],
        message,
        params: { code: 'tool-undeclared' satisfies ProblemCode },
      });
    }
  });

const bootstrap = z.strictObject({
  command: text,
  args: z.array(z.string()).optional(),
  timeoutMs: timeLimitMs().optional(),
  env: environment.optional(),
});

const workspace = z
  .strictObject({
    mode: z.enum(['none', 'shared', 'isolated']),
    cwd: text.optional(),
    templateDir: text.optional(),
    bootstrap: bootstrap.optional(),
  })
  .superRefine(({ mode, cwd, templateDir, bootstrap: prepared }, context) => {
    const refuse = (key: string): void =>
      context.addIssue({
        code: 'custom',
        path: [key],
        message: `has no place in a workspace of mode "${mode}"`,
      });
    if (mode === 'isolated' && cwd !== undefined) refuse('cwd');
    if (mode === 'none' && templateDir !== undefined) refuse('templateDir');
    if (mode === 'none' && prepared !== undefined) refuse('bootstrap');
  });

const limits = z.strictObject({
  timeoutMs: timeLimitMs()
    .nullable()
    .optional()
    .describe('Of a session, without workspace and grading. Default: 600000.'),
  turnTimeoutMs: timeLimitMs().nullable().optional().describe('Of one turn of the target. Default: 120000.'),
  idleTimeoutMs: timeLimitMs()
    .nullable()
    .optional()
    .describe('Longest silence of the target. Default: none.'),
  maxTurns: countCeiling.describe('Turns of the target: reaching it ends the conversation and is no error.'),
  maxSteps: countCeiling.describe('Steps of the target.'),
  maxTokens: countCeiling.describe('Tokens of the target.'),
  maxCostUsd: ceiling.describe(
    'Money of the target, USD. Under `--max-cost`, what a trial of an agent can cost that tells it only at its end.',
  ),
});

const run = z.strictObject({
  outputDir: text
    .optional()
    .describe(
      'Where runs are kept, relative to the config. Default: `.assay/runs`; of a config that `--config` names, beside the one found from the working directory.',
    ),
  concurrency: count.optional().describe('Trials at once. Default: 10.'),
  repeat: count.optional().describe('Repetitions of each case. Default: 1.'),
  threshold: z.number().min(0).max(1).optional().describe('The least score that passes. Default: 0.8.'),
  retryInfrastructure: countOrNone
    .optional()
    .describe('How often an attempt is repeated after an error of the infrastructure. Default: 1.'),
  limits: limits.optional().describe('Ceilings of one trial; null switches one off.'),
  maxErrored: countOrNone.optional().describe('Errored trials that are tolerated. Default: 0.'),
  tags: texts.optional().describe('Only cases with one of these tags.'),
  excludeTags: texts.optional().describe('No cases with one of these tags.'),
  seed: countOrNone.optional().describe('Of everything drawn at random. Default: a new one each time.'),
  cwd: text
    .optional()
    .describe(
      'Where the agents of code suites work when no workspace is named. Default: the working directory.',
    ),
  workspace: workspace.optional().describe('The workspace of code suites that export none.'),
  workspaceRoot: text
    .optional()
    .describe('Where prepared workspaces are made. Default: the temporary directory of the system.'),
  assertTimeoutMs: timeLimitMs()
    .optional()
    .describe('Of one assert function of a code suite. Default: 60000.'),
  reporter: z
    .union([text, texts])
    .optional()
    .describe('NAME or NAME=FILE, one or several. Default: terminal.'),
  redact: z
    .strictObject({
      names: texts.optional().describe('Environment variables whose values are hidden.'),
      patterns: texts.optional().describe('Regular expressions whose matches are hidden.'),
    })
    .optional()
    .describe('What is hidden in everything written, besides variables whose names tell of a secret.'),
  expectations: z
    .array(z.union([text, json]))
    .optional()
    .describe('Evaluators added to every stored test case.'),
  faults: z
    .array(configFault)
    .optional()
    .describe('Planned misbehaviour of tools, in every stored test case.'),
  difficultyWeights: z
    .strictObject({ normal: weightKey(), hard: weightKey() })
    .refine(({ normal, hard }) => normal + hard > 0, { error: 'one of the two must be more than 0' })
    .optional()
    .describe('What stored test cases of each difficulty count for in the weighted rate. Default: 1 each.'),
  schedule: z
    .enum(['serial', 'isolated-by-runner', 'parallel'])
    .optional()
    .describe(
      '`serial`: one trial at a time. `isolated-by-runner`: one of each coding agent. `parallel`: as many as the concurrency allows.',
    ),
  maxParallel: count.optional().describe('The spelling of code suites for `concurrency`.'),
  maxSteps: count.optional().describe('The spelling of code suites for `limits.maxSteps`.'),
  repeatFailure: countOrNone.optional().describe('Refused above 0: failures are never run again.'),
  retryFailed: countOrNone.optional().describe('Refused above 0: failures are never run again.'),
});

const provider = z.strictObject({
  apiKeyEnv: text.optional(),
  baseUrl: text.optional(),
  requestsPerMinute: z.number().positive().optional(),
  tokensPerMinute: z.number().positive().optional(),
  /** Of every model of the provider, or by the name of the model. */
  price: z.union([price, z.record(z.string(), price)]).optional(),
});

const snapshots = z.strictObject({
  path: text.optional().describe('Default: `assay.snapshots.json` beside the config.'),
  metric: z
    .enum(TOKEN_METRICS)
    .optional()
    .describe('What is counted, as session reports name it. Default: `totalTokens`.'),
  tolerance: z
    .strictObject({
      absolute: z.number().min(0).optional().describe('Tokens above the baseline.'),
      percent: z.number().min(0).optional().describe('Per cent above the baseline.'),
    })
    .refine(({ absolute, percent }) => absolute !== undefined || percent !== undefined, {
      error: 'needs `absolute`, `percent` or both',
    })
    .optional()
    .describe('How much more is still good; of two the lower one holds. Default: nothing.'),
});

/** A config as people write it, published spellings included; what stands in a target is checked apart. */
export const configSchema = z.strictObject({
  targets: z
    .record(z.string(), z.looseObject({}))
    .optional()
    .describe('The agents that can be tested, by name.'),
  target: text.optional().describe('Of suites that name none; may be left out where there is only one.'),
  run: run.optional().describe('How runs go where neither a flag nor a suite says so.'),
  judge: judgeChoice
    .optional()
    .describe(
      'The model that model graders ask, or the name of a target; of stored cases also by what they are scored.',
    ),
  metrics: z
    .array(metric)
    .optional()
    .describe('Further metrics of stored cases; in force where `judge.metrics` lists them.'),
  user: z
    .union([text, simulatedUser, scriptedUser])
    .optional()
    .describe('The model that plays simulated users, or the name of a target whose model does.'),
  models: z
    .record(z.string(), provider)
    .optional()
    .describe('How providers are reached, by the first part of the name of a model.'),
  runners: z
    .record(z.string(), z.looseObject({ agent: z.looseObject({}) }))
    .optional()
    .describe('The spelling of code suites for `targets`.'),
  defaults: z
    .strictObject({
      timeoutMs: timeLimitMs()
        .optional()
        .describe('The spelling of code suites for `run.limits.turnTimeoutMs`.'),
    })
    .optional(),
  worlds: texts
    .optional()
    .describe(
      'Modules with tools that keep a state, for mocks to name as `handler`; each exports defineWorld.',
    ),
  snapshots: snapshots
    .optional()
    .describe('Token baselines of code suites: a case that takes more than it took fails.'),
  server: json.optional().describe(LATER),
  store: json.optional().describe(LATER),
  $schema: z.string().optional().describe('For editors.'),
});

/** A valid config as it was written. */
export type Written = z.infer<typeof configSchema>;

/** The keys that targets of all types share, as they were written. */
export type CommonTargetKeys = z.infer<typeof commonTargetKeys>;

/** A target as people write it: the shared keys and those of its type. */
export interface WrittenTarget extends Partial<Omit<CommonTargetKeys, 'type'>> {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What `defineConfig` takes: every key is optional. */
export interface AssayConfig extends Omit<Written, 'targets' | 'runners'> {
  readonly targets?: Readonly<Record<string, WrittenTarget>> | undefined;
  /** The published spelling of `targets` in code suites. */
  readonly runners?: Readonly<
    Record<string, { readonly agent: WrittenTarget; readonly [key: string]: unknown }>
  >;
}
