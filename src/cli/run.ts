import { Command, Option } from 'commander';

import type { RunOptions } from '../core/run-options.ts';
import { cassetteOf, withCassetteOptions, type CassetteFlags } from './cassette.ts';
import { conduct, withConductOptions, type ConductFlags } from './conduct.ts';
import {
  commaSeparated,
  fraction,
  positiveCount,
  repeatable,
  secondsAsMs,
  shard,
  wholeNumber,
} from './option-values.ts';
import { moneyOf, withMoneyOptions, type MoneyFlags } from './money.ts';
import { withPublishedFlags } from './published-flags.ts';
import { storedOf, withStoredOptions, type StoredFlags } from './case-selector.ts';
import { terminalScreen } from './screen.ts';
import { surroundings } from './surroundings.ts';
import { holdYoungSpace } from '../lib/process/young-space.ts';

interface RunFlags extends ConductFlags, CassetteFlags, MoneyFlags, StoredFlags {
  readonly target?: readonly string[];
  readonly case?: readonly string[];
  readonly tag?: readonly string[];
  readonly excludeTag?: readonly string[];
  readonly limit?: number;
  readonly sample?: number;
  readonly failed?: string;
  readonly shard?: { readonly index: number; readonly of: number };
  readonly repeat?: number;
  readonly concurrency?: number;
  readonly threshold?: number;
  readonly firstSpeaker?: 'user' | 'agent';
  readonly onLimit?: 'error' | 'grade';
  readonly timeout?: number;
  readonly maxSteps?: number;
  readonly maxErrored?: number;
  readonly seed?: number;
  readonly failFast?: boolean;
  readonly gate?: readonly string[];
  readonly baseline?: string;
  readonly strict?: boolean;
  readonly dry?: boolean;
  readonly config?: string;
  readonly judge?: string;
  readonly updateSnapshots?: boolean;
}

export function runCommand(done: (exitCode: number) => void): Command {
  const command = new Command('run')
    .description('run evals and say what passed, what failed and what could not be measured')
    .argument(
      '[paths...]',
      'files, folders or globs (default: **/*.eval.{yaml,yml,jsonl} and **/*.suite.{ts,mts,js,mjs} below this folder)',
    )
    .option('--target <name>', 'run against this target (repeatable)', repeatable)
    .option('--case <id>', 'only this case; * and ? work (repeatable)', repeatable)
    .option('--tag <tag>', 'only cases with one of these tags (repeatable, commas work)', commaSeparated)
    .option('--exclude-tag <tag>', 'no cases with one of these tags', commaSeparated)
    .option('--limit <n>', 'the first n cases', positiveCount)
    .option('--sample <n>', 'n cases drawn by the seed', positiveCount)
    .option('--failed <run>', 'only what failed or errored in that run')
    .option('--shard <i/n>', 'part i of n; assay merge joins the parts', shard)
    .option('--repeat <n>', 'repetitions of each case', positiveCount)
    .option('--concurrency <n>', 'trials at once (default 10)', positiveCount)
    .option('--threshold <x>', 'score from which a trial passes (default 0.8)', fraction)
    .option('--timeout <seconds>', 'of a trial (default 600)', secondsAsMs)
    .option('--max-steps <n>', 'steps of the agent in a trial', positiveCount)
    .option('--max-errored <n>', 'errored trials that are tolerated (default 0)', wholeNumber)
    .option('--seed <n>', 'of everything drawn at random', wholeNumber)
    .option('--fail-fast', 'start nothing more after the first failure')
    .option(
      '--gate <expr>',
      "decides instead of single failures: 'pass_rate.lower95 >= 0.8' (repeatable)",
      repeatable,
    )
    .option('--baseline <run>', 'fail only when this run is worse than that one; RUN#TARGET works')
    .option('--strict', 'single failures count beside gates and baseline')
    .option('--update-snapshots', 'record the token baselines of code suites anew')
    .option('--dry', 'print the plan and what it may cost, and run nothing')
    .addOption(new Option('--first-speaker <who>', 'who opens conversations').choices(['user', 'agent']))
    .addOption(
      new Option('--on-limit <what>', 'what a met limit does: error, or grade what there is').choices([
        'error',
        'grade',
      ]),
    )
    .option('--judge <target>', 'the target that judges, over every other judge')
    .option('--config <file>', 'the config to use');
  return withConductOptions(
    withCassetteOptions(withMoneyOptions(withStoredOptions(withPublishedFlags(command)))),
  ).action(async (paths: readonly string[], flags: RunFlags) => done(await run(paths, flags)));
}

async function run(paths: readonly string[], flags: RunFlags): Promise<number> {
  holdYoungSpace();
  const { startRun, dryRun } = await import('../app/start-run.ts');
  const options = optionsOf(paths, flags);
  if (flags.dry !== true) return conduct(flags, (presentation) => startRun(options, presentation));
  const around = surroundings();
  terminalScreen(flags, around.environment).write(
    await dryRun(options, {
      surroundings: around,
      out: flags.out,
      form: flags.json === true ? 'json' : 'text',
    }),
  );
  return 0;
}

function optionsOf(patterns: readonly string[], flags: RunFlags): RunOptions {
  const optional = {
    tags: flags.tag,
    excludeTags: flags.excludeTag,
    limit: flags.limit,
    sample: flags.sample,
    shard: flags.shard,
    failed: flags.failed,
    repeat: flags.repeat,
    concurrency: flags.concurrency,
    threshold: flags.threshold,
    ...storedOf(patterns, flags, 'run'),
    firstSpeaker: flags.firstSpeaker,
    onLimit: flags.onLimit,
    timeoutMs: flags.timeout,
    maxSteps: flags.maxSteps,
    maxErrored: flags.maxErrored,
    seed: flags.seed,
    failFast: flags.failFast,
    gates: flags.gate,
    baseline: flags.baseline,
    strict: flags.strict,
    updateSnapshots: flags.updateSnapshots,
    config: flags.config,
    judge: flags.judge,
    cassette: cassetteOf(flags),
    ...moneyOf(flags),
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { patterns, targets: flags.target ?? [], cases: flags.case ?? [], ...given };
}
