import { Command } from 'commander';

import type { DatabaseOutput } from '../app/database.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { surroundings } from './surroundings.ts';

type Work = (surroundings: Surroundings) => Promise<DatabaseOutput>;

const PLACE = `
The database is the PostgreSQL server (15 or newer) in DATABASE_URL.
Without DATABASE_URL, it is an embedded database in .assay/data, next to the config.
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
  const load = () => import('../app/database.ts');
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
  return command;
}
