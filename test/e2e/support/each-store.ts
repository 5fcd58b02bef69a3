import { afterAll, beforeAll, describe } from 'vitest';

import type { Database } from '../../../src/storage/database/database.ts';
import { embeddedDatabase } from '../../../src/storage/database/embedded-database.ts';
import { serverDatabase } from '../../../src/storage/database/server-database.ts';
import { sharedDatabase, type SharedDatabase } from '../../support/databases.ts';
import type { Project } from './project.ts';
import { endLeases } from './workers.ts';

interface EachStore {
  readonly name: string;
  /** Variables with which the program uses the store. */
  environment(): Record<string, string>;
  /** Works on the database of the store, which is open for so long. */
  query<T>(project: Project, work: (database: Database) => Promise<T>): Promise<T>;
}

/** Describes the same tests with an embedded store, and with an empty database of a PostgreSQL server. */
export function describeEachStore(tests: (store: EachStore) => void): void {
  let postgres: SharedDatabase;
  beforeAll(async () => {
    postgres = await sharedDatabase('empty');
  });
  afterAll(() => postgres.end());
  const stores: readonly EachStore[] = [
    {
      name: 'an embedded store',
      environment: () => ({}),
      query: (project, work) => working(embeddedDatabase(project.path('.assay/data')), work),
    },
    {
      name: 'a PostgreSQL server',
      environment: () => ({ DATABASE_URL: postgres.url }),
      query: (_project, work) => working(serverDatabase(postgres.url), work),
    },
  ];
  describe.each(stores)('with $name', (store) => {
    tests(store);
  });
}

/** Ends the claims of killed processes on runs, which a server keeps for a minute. Embedded stores keep none. */
export async function endKilledLeases(environment: Readonly<Record<string, string>>): Promise<void> {
  const url = environment['DATABASE_URL'];
  if (url !== undefined) await endLeases(url, 'runs');
}

async function working<T>(opening: Promise<Database>, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await opening;
  return await work(database).finally(() => database.close());
}
