import { Command } from 'commander';

import type { DatabaseOutput } from '../app/upkeep.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { dateOrTime } from './option-values.ts';
import { surroundings } from './surroundings.ts';

type Work = (surroundings: Surroundings) => Promise<DatabaseOutput>;

const PLACE = `
The database is the PostgreSQL server (15 or newer) in DATABASE_URL.
Without DATABASE_URL, it is an embedded database in .assay/data, next to the config.
If a running \`assay serve\` has this database open, the command is sent to that server.
A server with authentication needs the token of an admin in ASSAY_TOKEN.
`;

export function dbCommand(done: (exitCode: number) => void): Command {
  const command = new Command('db')
    .description('migrate, inspect and repair the database')
    .addHelpText('after', PLACE)
    .exitOverride();
  const add = (name: string, description: string, load: () => Promise<Work>): void => {
    command
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (flags: { json?: boolean }) => {
        const output = await (await load())(surroundings());
        process.stdout.write(flags.json === true ? output.json : output.text);
        done(0);
      });
  };
  const load = () => import('../app/upkeep.ts');
  add(
    'migrate',
    'create the schema, or update it to this version',
    async () => (await load()).migrateDatabase,
  );
  add('status', 'show which migrations are applied', async () => (await load()).describeDatabase);
  add(
    'rebuild',
    'recompute trials, grades and totals from the logs of all runs',
    async () => (await load()).rebuildDatabase,
  );
  addPrune(command, done);
  return command;
}

interface PruneFlags {
  readonly archivedBefore: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function addPrune(command: Command, done: (exitCode: number) => void): void {
  command
    .command('prune')
    .description('remove runs that were archived before a date, with their logs and files')
    .requiredOption(
      '--archived-before <date>',
      'date (2026-01-31, start of the day in UTC) or time (2026-01-31T12:00:00Z)',
      dateOrTime,
    )
    .option('--dry-run', 'print what would be removed, and remove nothing')
    .option('--json', 'print JSON')
    .action(async ({ archivedBefore, dryRun: isDryRun = false, json }: PruneFlags) => {
      const { pruneDatabase } = await import('../app/upkeep.ts');
      const output = await pruneDatabase({ archivedBefore, isDryRun }, surroundings());
      process.stdout.write(json === true ? output.json : output.text);
      done(0);
    });
}
