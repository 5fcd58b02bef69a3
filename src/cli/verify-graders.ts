import { Command } from 'commander';

import { storedOf, withStoredOptions, type StoredFlags } from './case-selector.ts';
import { cassetteOf, withCassetteOptions, type CassetteFlags } from './cassette.ts';
import { untilInterrupted } from './interrupt.ts';
import { moneyOf, withMoneyOptions, type MoneyFlags } from './money.ts';
import { commaSeparated, positiveCount, repeatable } from './option-values.ts';
import { surroundings } from './surroundings.ts';
import { given } from '../lib/given.ts';
import { printableJson } from '../lib/text/printable-json.ts';

interface VerifyFlags extends CassetteFlags, MoneyFlags, StoredFlags {
  readonly case?: readonly string[];
  readonly tag?: readonly string[];
  readonly limit?: number;
  readonly concurrency?: number;
  readonly mutants: boolean;
  readonly judge?: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function verifyGradersCommand(done: (exitCode: number) => void): Command {
  const command = new Command('verify-graders')
    .description('test whether the graders tell good answers from bad ones, without starting a target')
    .argument('[paths...]', 'files, folders or globs')
    .option('--case <id>', 'run only this case; * and ? are wildcards (repeatable)', repeatable)
    .option(
      '--tag <tag>',
      'run only cases with any of these tags (repeatable, comma-separated)',
      commaSeparated,
    )
    .option('--limit <n>', 'run only the first n cases', positiveCount)
    .option('--concurrency <n>', 'number of parallel cases (default 10)', positiveCount)
    .option('--no-mutants', 'skip the check with deliberately broken answers')
    .option('--judge <target>', 'target to use as the judge, overriding all configured judges')
    .option('--config <file>', 'config file to use')
    .option('--json', 'print one JSON document');
  return withCassetteOptions(withMoneyOptions(withStoredOptions(command))).action(
    async (patterns: readonly string[], flags: VerifyFlags) => {
      const [{ verifyGraders }, { proofText }] = await Promise.all([
        import('../app/verify-graders.ts'),
        import('../app/proof/proof-text.ts'),
      ]);
      done(
        await untilInterrupted(async (stop) => {
          const report = await verifyGraders(requestOf(patterns, flags), surroundings(), stop);
          process.stdout.write(flags.json === true ? `${printableJson(report)}\n` : proofText(report));
          return report.exitCode;
        }),
      );
    },
  );
}

function requestOf(patterns: readonly string[], flags: VerifyFlags) {
  const optional = {
    tags: flags.tag,
    limit: flags.limit,
    concurrency: flags.concurrency,
    judge: flags.judge,
    config: flags.config,
    cassette: cassetteOf(flags),
    ...moneyOf(flags),
    ...storedOf(flags, patterns),
  };
  return { patterns, cases: flags.case ?? [], makesMutants: flags.mutants, ...given(optional) };
}
