import * as z from 'zod';

const text = z.string().min(1);
const count = z.int().min(1);
const countOrNone = z.int().min(0);
const texts = z.array(text);
const json = z.record(z.string(), z.json());
const environment = z.record(z.string(), z.string());
const ceiling = z.number().positive().nullable().optional();
const countCeiling = count.nullable().optional();

const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cacheRead: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
});

const tool = z.strictObject({
  name: text,
  description: z.string().optional(),
  parameters: json.optional(),
  terminating: z.boolean().optional(),
});

const judge = z.strictObject({
  model: text,
  temperature: z.number().min(0).optional(),
  maxOutputTokens: count.optional(),
  metrics: z
    .array(z.strictObject({ metric: text, weight: z.number().min(0).optional() }))
    .nullable()
    .optional(),
  passThreshold: z.number().min(0).max(100).optional(),
  scoreGate: z.enum(['auto', 'always', 'never']).optional(),
  toolCalls: z.enum(['gate', 'report']).optional(),
  maxInputChars: count.optional(),
  samples: count.optional(),
});

const user = z.strictObject({
  model: text,
  temperature: z.number().min(0).optional(),
  maxOutputTokens: count.optional(),
  audit: z.enum(['off', 'report', 'enforce']).optional(),
  auditJudge: z.boolean().optional(),
});

const judgeChoice = z.union([text, judge]);

/** The keys that targets of all types share. */
export const commonTargetKeys = z.strictObject({
  type: text,
  judge: judgeChoice.optional(),
  maxParallel: count.optional(),
  timeoutMs: count.optional(),
  idleTimeoutMs: count.optional(),
  retryInfrastructure: countOrNone.optional(),
  passEnv: texts.optional(),
  env: environment.optional(),
  tools: z.array(tool).optional(),
  price: price.optional(),
});

const bootstrap = z.strictObject({
  command: text,
  args: z.array(z.string()).optional(),
  timeoutMs: count.optional(),
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
  timeoutMs: countCeiling,
  turnTimeoutMs: countCeiling,
  idleTimeoutMs: countCeiling,
  maxTurns: countCeiling,
  maxSteps: countCeiling,
  maxTokens: countCeiling,
  maxCostUsd: ceiling,
});

const run = z.strictObject({
  outputDir: text.optional(),
  concurrency: count.optional(),
  repeat: count.optional(),
  threshold: z.number().min(0).max(1).optional(),
  retryInfrastructure: countOrNone.optional(),
  limits: limits.optional(),
  maxErrored: countOrNone.optional(),
  tags: texts.optional(),
  excludeTags: texts.optional(),
  seed: countOrNone.optional(),
  cwd: text.optional(),
  workspace: workspace.optional(),
  workspaceRoot: text.optional(),
  assertTimeoutMs: count.optional(),
  reporter: z.union([text, texts]).optional(),
  /** Names of variables and regular expressions whose values and matches are hidden. */
  redact: z.strictObject({ names: texts.optional(), patterns: texts.optional() }).optional(),
  expectations: z.array(z.union([text, json])).optional(),
  schedule: z.enum(['serial', 'isolated-by-runner', 'parallel']).optional(),
  maxParallel: count.optional(),
  maxSteps: count.optional(),
  repeatFailure: countOrNone.optional(),
  retryFailed: countOrNone.optional(),
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
  path: text.optional(),
  metric: z.enum(['totalTokens', 'inputTokens', 'outputTokens', 'reasoningTokens', 'cacheTokens']).optional(),
  tolerance: z
    .strictObject({ absolute: z.number().min(0).optional(), percent: z.number().min(0).optional() })
    .refine(({ absolute, percent }) => absolute !== undefined || percent !== undefined, {
      error: 'needs `absolute`, `percent` or both',
    })
    .optional(),
});

/** A config as people write it, published spellings included; what stands in a target is checked apart. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  targets: z.record(z.string(), z.looseObject({})).optional(),
  runners: z.record(z.string(), z.looseObject({ agent: z.looseObject({}) })).optional(),
  target: text.optional(),
  judge: judgeChoice.optional(),
  user: z.union([text, user]).optional(),
  models: z.record(z.string(), provider).optional(),
  run: run.optional(),
  defaults: z.strictObject({ timeoutMs: count.optional() }).optional(),
  snapshots: snapshots.optional(),
  server: json.optional(),
  store: json.optional(),
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
