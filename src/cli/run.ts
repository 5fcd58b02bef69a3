import { Command, Option } from 'commander';

import { takesStore, type RunOptions } from '../core/run-options.ts';
import { AssayError } from '../core/errors.ts';
import type { ServerPlace } from '../app/server-client.ts';
import { cassetteOf, withCassetteOptions, type CassetteFlags } from './cassette.ts';
import { conduct, withConductOptions, withWorkersOption, type ConductFlags } from './conduct.ts';
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
import { serverOfStore } from './server-of-store.ts';
import { storedOf, withStoredOptions, type StoredFlags } from './case-selector.ts';
import { sandboxOf, withSandboxOptions, type SandboxFlags } from './sandbox.ts';
import { terminalScreen } from './screen.ts';
import { surroundings } from './surroundings.ts';
import { given } from '../lib/given.ts';
import { renamed } from '../lib/renamed.ts';
import { holdYoungSpace } from '../lib/process/young-space.ts';

/** The options that flags set as they are. */
const OPTIONS = {
  tag: 'tags',
  excludeTag: 'excludeTags',
  limit: 'limit',
  sample: 'sample',
  failed: 'failed',
  shard: 'shard',
  repeat: 'repeat',
  concurrency: 'concurrency',
  threshold: 'threshold',
  firstSpeaker: 'firstSpeaker',
  onLimit: 'onLimit',
  timeout: 'timeoutMs',
  maxSteps: 'maxSteps',
  maxErrored: 'maxErrored',
  seed: 'seed',
  failFast: 'failFast',
  cache: 'cache',
  gate: 'gates',
  baseline: 'baseline',
  strict: 'strict',
  config: 'config',
  judge: 'judge',
  updateSnapshots: 'updateSnapshots',
} as const satisfies Record<string, keyof RunOptions>;

type OptionFlags = { readonly [Flag in keyof typeof OPTIONS]?: RunOptions[(typeof OPTIONS)[Flag]] };

interface RunFlags extends OptionFlags, ConductFlags, CassetteFlags, MoneyFlags, SandboxFlags, StoredFlags {
  readonly target?: readonly string[];
  readonly case?: readonly string[];
  readonly dry?: boolean;
  readonly watch?: boolean;
  readonly workers?: boolean;
}

export function runCommand(done: (exitCode: number) => void): Command {
  const command = withWorkersOption(new Command('run'), 'keep the run in')
    .description('run evals and report what passed, failed or errored')
    .argument(
      '[paths...]',
      'files, folders or globs (default: **/*.eval.{yaml,yml,jsonl} and **/*.suite.{ts,mts,js,mjs} below this folder)',
    )
    .option('--target <name>', 'run only against this target (repeatable)', repeatable)
    .option('--case <id>', 'run only this case; * and ? are wildcards (repeatable)', repeatable)
    .option(
      '--tag <tag>',
      'run only cases with any of these tags (repeatable, comma-separated)',
      commaSeparated,
    )
    .option('--exclude-tag <tag>', 'skip cases with any of these tags (comma-separated)', commaSeparated)
    .option('--limit <n>', 'run only the first n cases', positiveCount)
    .option('--sample <n>', 'run n randomly chosen cases (see --seed)', positiveCount)
    .option('--failed <run>', 'run only trials that failed or errored in that run')
    .option('--shard <i/n>', 'run part i of n; assay merge joins the parts', shard)
    .option('--repeat <n>', 'number of repetitions per case', positiveCount)
    .option('--concurrency <n>', 'number of parallel trials (default 10)', positiveCount)
    .option('--threshold <x>', 'lowest score that passes a trial (default 0.8)', fraction)
    .option('--timeout <seconds>', 'time limit per trial (default 600)', secondsAsMs)
    .option('--max-steps <n>', 'limit for the steps of the agent per trial', positiveCount)
    .option('--max-errored <n>', 'number of errored trials tolerated (default 0)', wholeNumber)
    .option('--seed <n>', 'seed for sampling and other randomness', wholeNumber)
    .option('--fail-fast', 'start no more trials after the first failure')
    .option(
      '--gate <expr>',
      "condition on the whole run, such as 'pass_rate.lower95 >= 0.8'; single failures then no longer fail the run (repeatable)",
      repeatable,
    )
    .option(
      '--baseline <run>',
      'stored run to compare with: fail only if the new run is worse; RUN#TARGET selects a target',
    )
    .option('--strict', 'with --gate or --baseline: also fail if a single trial fails')
    .option('--update-snapshots', 'store the token counts of this run as new baselines (code suites only)')
    .option('--cache', 'use answers that an agent gave to the same input in an earlier run')
    .option('--no-cache', 'ask every agent again, even with `run.cache` in the config')
    .option('--dry', 'print the plan and its highest possible cost, and run nothing')
    .option('--watch', 'after the run, wait for changed files and run the trials that they change')
    .addOption(
      new Option('--first-speaker <who>', 'who writes the first message of a conversation').choices([
        'user',
        'agent',
      ]),
    )
    .addOption(
      new Option(
        '--on-limit <what>',
        'what to do with a trial that reaches a limit: mark it as errored, or grade its transcript so far',
      ).choices(['error', 'grade']),
    )
    .option('--judge <target>', 'target to use as the judge, overriding all configured judges')
    .option('--config <file>', 'config file to use');
  return withSharedOptions(withPublishedFlags(command)).action(
    async (paths: readonly string[], flags: RunFlags) => done(await run(paths, flags)),
  );
}

/** The options that other commands have too. */
function withSharedOptions(command: Command): Command {
  const stored = withStoredOptions(withSandboxOptions(command), ', and save the run there');
  return withConductOptions(withCassetteOptions(withMoneyOptions(stored)));
}

async function run(paths: readonly string[], flags: RunFlags): Promise<number> {
  holdYoungSpace();
  const { startRun, dryRun } = await import('../app/start-run.ts');
  const options = optionsOf(paths, flags);
  const isShared = flags.workers === true;
  const prefers = takesStore(options) || isShared ? 'store' : undefined;
  if (flags.watch === true) {
    refuseToWatch({ ...flags, prefers });
    const { watchRun } = await import('./watch-run.ts');
    return await watchRun({ flags, start: (site) => startRun(options, site) });
  }
  const server = prefers && !isShared ? await serverOfStore(surroundings(prefers)) : undefined;
  if (server !== undefined) return await runServed(options, server, { ...flags, prefers });
  if (flags.dry !== true) {
    return await conduct({ ...flags, prefers }, (site) => startRun(options, site));
  }
  const around = surroundings(prefers);
  terminalScreen(flags, around.environment).write(
    await dryRun(options, {
      surroundings: around,
      out: flags.out,
      form: flags.json === true ? 'json' : 'text',
    }),
  );
  return 0;
}

/** Stored cases have no files, and a document or a plan has one end. */
function refuseToWatch({ dry, json, prefers }: RunFlags): void {
  const [flag] = [
    ...(dry === true ? ['--dry'] : []),
    ...(json === true ? ['--json'] : []),
    ...(prefers === undefined ? [] : ['cases of the store']),
  ];
  if (flag === undefined) return;
  throw new AssayError('usage', `--watch does not work with ${flag}`, {
    stage: 'plan',
    hint: 'leave one of them out',
  });
}

/** A run of the server that owns the store. */
async function runServed(options: RunOptions, server: ServerPlace, flags: RunFlags): Promise<number> {
  const { startServedRun, dryServedRun } = await import('../app/served/start-served-run.ts');
  if (flags.dry !== true) {
    return await conduct({ ...flags, place: 'server' }, (site) => startServedRun(options, server, site));
  }
  const form = flags.json === true ? 'json' : 'text';
  const screen = terminalScreen(flags, surroundings().environment);
  screen.write(await dryServedRun(options, server, form));
  return 0;
}

function optionsOf(patterns: readonly string[], flags: RunFlags): RunOptions {
  return {
    patterns,
    targets: flags.target ?? [],
    cases: flags.case ?? [],
    ...renamed(flags, OPTIONS),
    ...storedOf(flags, patterns),
    ...sandboxOf(flags),
    ...given({ cassette: cassetteOf(flags) }),
    ...moneyOf(flags),
  };
}
