import { createJiti } from 'jiti';
import { inRoot } from '../../scripts/lib/paths.mjs';

/** A PostgreSQL server as the tests start one: { url(database), stop() }. */
export async function startPostgres() {
  const { startPostgres: start } = await createJiti(import.meta.url).import(
    inRoot('test/support/postgres-server.ts'),
  );
  return await start();
}
