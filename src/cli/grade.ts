import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { cassetteOf, withCassetteOptions, type CassetteFlags } from './cassette.ts';
import { conduct, withConductOptions, type ConductFlags } from './conduct.ts';
import { moneyOf, withMoneyOptions, type MoneyFlags } from './money.ts';
import { repeatable } from './option-values.ts';

interface GradeFlags extends ConductFlags, CassetteFlags, MoneyFlags {
  readonly suite?: readonly string[];
  readonly judge?: string;
  readonly trust?: boolean;
}

export function gradeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('grade')
    .description('grade the stored transcripts of a run again, with the graders as they are now')
    .argument('<run>', 'run directory, run id, the beginning of one, or latest')
    .option('--suite <file>', 'take cases and expectations from this file (repeatable)', repeatable)
    .option('--judge <target>', 'the target that judges, over every other judge')
    .option('--trust', 'execute the config and suites that a run of another project names');
  return withConductOptions(withCassetteOptions(withMoneyOptions(command))).action(
    async (run: string, flags: GradeFlags) => {
      const { gradeRun } = await import('../app/grade-run.ts');
      const cassette = cassetteOf(flags);
      const request = {
        run,
        suites: flags.suite ?? [],
        isTrusted: flags.trust === true,
        ...given({ cassette, judge: flags.judge }),
        ...moneyOf(flags),
      };
      done(await conduct(flags, (presentation) => gradeRun(request, presentation)));
    },
  );
}
