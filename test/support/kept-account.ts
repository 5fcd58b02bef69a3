import type { Database } from '../../src/storage/database/database.ts';

/** Adds an account to a database, and gives its id. */
export async function keptAccount({ query }: Database, email: string): Promise<string> {
  const [made] = await query<{ id: string }>(
    `insert into account (email, role) values ($1, 'member') returning id`,
    [email],
  );
  return made?.id ?? '';
}
