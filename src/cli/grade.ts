import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { cassetteOf, withCassetteOptions, type CassetteFlags } from './cassette.ts';
import { preferenceOf, withStoreOption } from './case-selector.ts';
import { conduct, whereOf, withConductOptions, type ConductFlags } from './conduct.ts';
import { moneyOf, withMoneyOptions, type MoneyFlags } from './money.ts';
import { repeatable } from './option-values.ts';
import { surroundings } from './surroundings.ts';

interface GradeFlags extends ConductFlags, CassetteFlags, MoneyFlags {
  readonly suite?: readonly string[];
  readonly judge?: string;
  readonly trust?: boolean;
  readonly stored?: boolean;
}

export function gradeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('grade')
    .description('grade the stored transcripts of a run again with the current graders')
    .argument('<run>', 'run directory, run id or its first characters, or latest')
    .option('--suite <file>', 'read cases and expectations from this file (repeatable)', repeatable)
    .option('--judge <target>', 'target to use as the judge, overriding all configured judges')
    .option('--trust', 'allow executing the config and suites of a run from another project');
  return withConductOptions(withCassetteOptions(withMoneyOptions(withStoreOption(command)))).action(
    async (run: string, flags: GradeFlags) => {
      const { gradeRun } = await import('../app/grade-run.ts');
      const { serverOfRun } = await import('../app/served/server-of-run.ts');
      const { gradeServedRun } = await import('../app/served/grade-served-run.ts');
      const cassette = cassetteOf(flags);
      const request = {
        run,
        suites: flags.suite ?? [],
        isTrusted: flags.trust === true,
        ...given({ cassette, judge: flags.judge }),
        ...moneyOf(flags),
      };
      const prefers = preferenceOf(flags);
      const server = await serverOfRun(run, flags.out, surroundings(prefers));
      done(
        await conduct({ ...flags, ...whereOf(server, prefers) }, (site) =>
          server === undefined ? gradeRun(request, site) : gradeServedRun(request, server, site),
        ),
      );
    },
  );
}
