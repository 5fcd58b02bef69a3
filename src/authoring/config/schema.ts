import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { eachToolOnce, mocks } from '../yaml/world-grammar.ts';
import { configFault } from './config-fault.ts';
import { judgeChoice, judgeOrScoring, metric, scriptedUser, simulatedUser } from './conversation-parts.ts';
import { sandboxSection } from './sandbox-section.ts';
import { snapshots } from './snapshots-section.ts';
import { variantsSection } from './variants-section.ts';
import { serverSection } from './server-section.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';
import { weightKey } from '../../core/verdict.ts';
import { jsonMapping, textMapping } from '../../lib/text/json-value.ts';

const text = z.string().min(1);
const count = z.int().min(1);
const countOrNone = z.int().min(0);
const texts = z.array(text);
const json = jsonMapping();
const environment = textMapping();
const ceiling = z.number().positive().nullable().optional();
const countCeiling = count.nullable().optional();

const price = z.strictObject({
  input: z.number().min(0).describe('Price of input in USD per million tokens.'),
  output: z.number().min(0).describe('Price of output in USD per million tokens.'),
  cacheRead: z.number().min(0).optional().describe('Price of cached input in USD per million tokens.'),
  cacheWrite: z.number().min(0).optional().describe('Price of writing the cache in USD per million tokens.'),
});

const tool = z.strictObject({
  name: text.describe('Name by which the agent calls the tool.'),
  description: z.string().optional().describe('Description of the tool for the agent.'),
  parameters: json.optional().describe('JSON Schema of the arguments of the tool.'),
  terminating: z.boolean().optional().describe('Whether a call of this tool ends the conversation.'),
});

/** The keys that targets of all types share. */
export const commonTargetKeys = z
  .strictObject({
    type: text,
    prompt: text
      .optional()
      .describe(
        'Prompt under test: a text, or the path of a file. It is the system prompt of a model. An HTTP agent gets it as `metadata.prompt`, a module as `prompt`, a program as the variable ASSAY_SYSTEM_PROMPT. With `promptRole: user`, it is the first message of the user.',
      ),
    judge: judgeChoice.optional().describe('Judge for the cases of this target, if the evals name no judge.'),
    maxParallel: count.optional().describe('Concurrent trials on this target, at most `run.concurrency`.'),
    timeoutMs: timeLimitMs().optional().describe('Time limit of one turn in milliseconds.'),
    idleTimeoutMs: timeLimitMs().optional().describe('Longest silence in milliseconds.'),
    retryInfrastructure: countOrNone
      .optional()
      .describe('Retries after an infrastructure error; failures are never retried.'),
    passEnv: texts
      .optional()
      .describe(
        'Environment variables to pass to the processes of the target. PATH, locale, proxy and certificate variables are always passed; API keys are not.',
      ),
    env: environment.optional().describe('Environment variables to set for the processes of the target.'),
    tools: z
      .array(tool)
      .superRefine(eachToolOnce)
      .optional()
      .describe('Tools offered to the agent and answered by mocks.'),
    mocks: mocks
      .optional()
      .describe(
        'Answers of mocked tools in every case. Mocks of a case replace these mocks for the same tool.',
      ),
    price: price.optional().describe('Price of the tokens of the target; overrides the built-in table.'),
    sandbox: sandboxSection
      .optional()
      .describe('How the programs of the target are isolated. Overrides `run.sandbox`.'),
  })
  .superRefine(({ tools = [], mocks: answers = [] }, context) => {
    for (const [index, { tool: name }] of answers.entries()) {
      if (tools.some((declared) => declared.name === name)) continue;
      const message = `the mock answers the tool "${name}", which is not declared in \`tools\` of the target`;
      context.addIssue({
        code: 'custom',
        path: ['mocks', index, 'tool'],
        message,
        params: { code: 'tool-undeclared' satisfies ProblemCode },
      });
    }
  });

const bootstrap = z.strictObject({
  command: text.describe('Program to run, found on PATH or by a path relative to the suite file.'),
  args: z.array(z.string()).optional().describe('Arguments of the program.'),
  timeoutMs: timeLimitMs().optional().describe('Time limit of the program in milliseconds.'),
  env: environment.optional().describe('Environment variables to set for the program.'),
});

const workspace = z
  .strictObject({
    mode: z
      .enum(['none', 'shared', 'isolated'])
      .describe('none: your own directory. shared: one directory for all trials. isolated: one per attempt.'),
    cwd: text.optional().describe('Working directory; not allowed with mode isolated.'),
    templateDir: text
      .optional()
      .describe('Folder that is copied into the workspace; not allowed with mode none.'),
    bootstrap: bootstrap
      .optional()
      .describe('Program that prepares the workspace; not allowed with mode none.'),
  })
  .superRefine(({ mode, cwd, templateDir, bootstrap: prepared }, context) => {
    const refuse = (key: string): void =>
      context.addIssue({
        code: 'custom',
        path: [key],
        message: `is not allowed in a workspace of mode "${mode}"`,
      });
    if (mode === 'isolated' && cwd !== undefined) refuse('cwd');
    if (mode === 'none' && templateDir !== undefined) refuse('templateDir');
    if (mode === 'none' && prepared !== undefined) refuse('bootstrap');
  });

/** Limits of one trial. */
export const limits = z.strictObject({
  timeoutMs: timeLimitMs()
    .nullable()
    .optional()
    .describe(
      'Time limit of a session in milliseconds. Preparing the workspace and grading do not count. Default: 600000.',
    ),
  turnTimeoutMs: timeLimitMs()
    .nullable()
    .optional()
    .describe('Time limit of one turn of the target in milliseconds. Default: 120000.'),
  idleTimeoutMs: timeLimitMs()
    .nullable()
    .optional()
    .describe('Longest silence of the target in milliseconds. Default: no limit.'),
  maxTurns: countCeiling.describe(
    'Maximum turns of the target. Reaching it ends the conversation without an error.',
  ),
  maxSteps: countCeiling.describe('Maximum steps of the target.'),
  maxTokens: countCeiling.describe('Maximum tokens of the target.'),
  maxCostUsd: ceiling.describe(
    'Maximum cost of the target in USD. With `--max-cost`, assay sets this amount aside for each trial of an agent that reports its cost only at the end.',
  ),
});

const run = z.strictObject({
  outputDir: text
    .optional()
    .describe(
      'Folder for runs, relative to the config. Default: `.assay/runs` in the folder of the config. If you use `--config` and that config does not set this key, runs go to the same folder as without `--config`.',
    ),
  concurrency: count.optional().describe('Number of concurrent trials. Default: 10.'),
  repeat: count.optional().describe('Repetitions of each case. Default: 1.'),
  threshold: z.number().min(0).max(1).optional().describe('Pass threshold of a trial, 0 to 1. Default: 0.8.'),
  retryInfrastructure: countOrNone.optional().describe('Retries after an infrastructure error. Default: 1.'),
  cache: z
    .boolean()
    .optional()
    .describe('Use answers that an agent gave to the same input in an earlier run. Default: false.'),
  limits: limits.optional().describe('Limits of one trial; null switches a limit off.'),
  maxErrored: countOrNone.optional().describe('Number of errored trials to tolerate. Default: 0.'),
  tags: texts.optional().describe('Run only cases with one of these tags.'),
  excludeTags: texts.optional().describe('Skip cases with one of these tags.'),
  seed: countOrNone
    .optional()
    .describe('Seed for sampling and other randomness. Default: a new one for each run.'),
  cwd: text
    .optional()
    .describe(
      'Working directory for agents of code suites without a workspace. Default: the current directory.',
    ),
  workspace: workspace.optional().describe('Workspace for code suites that export none.'),
  workspaceRoot: text
    .optional()
    .describe('Folder for isolated workspaces. Default: the temporary directory of the system.'),
  assertTimeoutMs: timeLimitMs()
    .optional()
    .describe('Time limit of an assert function of a code suite in milliseconds. Default: 60000.'),
  reporter: z
    .union([text, texts])
    .optional()
    .describe('Reporters, each as NAME or NAME=FILE. Default: terminal.'),
  redact: z
    .strictObject({
      names: texts.optional().describe('Environment variables whose values are hidden.'),
      patterns: texts.optional().describe('Regular expressions whose matches are hidden.'),
    })
    .optional()
    .describe(
      'Further secrets to hide in all output. The values of DATABASE_URL and of variables with KEY, TOKEN, SECRET or PASSWORD in their names are always hidden.',
    ),
  expectations: z
    .array(z.union([text, json]))
    .optional()
    .describe('Evaluators added to every stored test case.'),
  faults: z
    .array(configFault)
    .optional()
    .describe('Planned misbehaviour of tools, in every stored test case.'),
  difficultyWeights: z
    .strictObject({
      normal: weightKey().describe('Weight of normal cases.'),
      hard: weightKey().describe('Weight of hard cases.'),
    })
    .refine(({ normal, hard }) => normal + hard > 0, { error: 'one of the two must be greater than 0' })
    .optional()
    .describe('Weights of normal and hard stored test cases in `weightedPassRate`. Default: 1 each.'),
  sandbox: sandboxSection.optional().describe('How the programs of targets are isolated.'),
  schedule: z
    .enum(['serial', 'isolated-by-runner', 'parallel'])
    .optional()
    .describe(
      '`serial`: one trial at a time. `isolated-by-runner`: trials of different coding agents at the same time, but only one of each agent. `parallel`: up to the concurrency limit.',
    ),
  maxParallel: count.optional().describe('Alias of `concurrency` in code suites.'),
  maxSteps: count.optional().describe('Alias of `limits.maxSteps` in code suites.'),
  repeatFailure: countOrNone.optional().describe('Must be 0: failed cases are never run again.'),
  retryFailed: countOrNone.optional().describe('Must be 0: failed cases are never run again.'),
});

const provider = z.strictObject({
  apiKeyEnv: text.optional().describe('Environment variable that holds the key.'),
  baseUrl: text.optional().describe('Base URL of the API, instead of the usual one.'),
  requestsPerMinute: z.number().positive().optional().describe('Maximum requests per minute.'),
  tokensPerMinute: z.number().positive().optional().describe('Maximum tokens per minute.'),
  price: z
    .union([price, z.record(z.string(), price)])
    .optional()
    .describe('Price of all models of the provider, or prices by model name.'),
});

/** A config as people write it, with published spellings; targets are checked separately. */
export const configSchema = z.strictObject({
  targets: z.record(z.string(), z.looseObject({})).optional().describe('The agents to test, by name.'),
  target: text
    .optional()
    .describe('Default target of suites that name none; optional if there is only one target.'),
  variants: variantsSection
    .optional()
    .describe('Targets made of one target: every combination of some of its settings.'),
  run: run.optional().describe('Default settings of runs; flags and suites override them.'),
  judge: judgeOrScoring,
  metrics: z
    .array(metric)
    .optional()
    .describe('Additional metrics for stored cases; used when `judge.metrics` lists them.'),
  user: z
    .union([text, simulatedUser, scriptedUser])
    .optional()
    .describe('Model that plays simulated users, or the name of a target of type `model`.'),
  models: z
    .record(z.string(), provider)
    .optional()
    .describe('Settings of providers, by the first part of the model name.'),
  runners: z
    .record(z.string(), z.looseObject({ agent: z.looseObject({}) }))
    .optional()
    .describe('Alias of `targets` in code suites.'),
  defaults: z
    .strictObject({
      timeoutMs: timeLimitMs().optional().describe('Alias of `run.limits.turnTimeoutMs` in code suites.'),
    })
    .optional()
    .describe('Aliases for configs of code suites.'),
  worlds: texts
    .optional()
    .describe(
      'Modules with stateful tools for the `handler` of mocks; each exports the result of defineWorld.',
    ),
  snapshots: snapshots
    .optional()
    .describe('Token baselines of code suites: a case that uses more tokens than before fails.'),
  server: serverSection.optional().describe('Settings of `assay serve`.'),
  store: json
    .optional()
    .describe('Reserved for a later release. The key is accepted, but has no effect yet.'),
  $schema: z.string().optional().describe('Address of the JSON Schema; only editors use it.'),
});

export type Written = z.infer<typeof configSchema>;

/** The keys that targets of all types share, as written. */
export type CommonTargetKeys = z.infer<typeof commonTargetKeys>;

/** A target as people write it: the shared keys and those of its type. */
export interface WrittenTarget extends Partial<Omit<CommonTargetKeys, 'type'>> {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The argument of `defineConfig`; every key is optional. */
export interface AssayConfig extends Omit<Written, 'targets' | 'runners'> {
  readonly targets?: Readonly<Record<string, WrittenTarget>> | undefined;
  /** The published spelling of `targets` in code suites. */
  readonly runners?: Readonly<
    Record<string, { readonly agent: WrittenTarget; readonly [key: string]: unknown }>
  >;
}
