import { expect, test } from 'vitest';

import { onPostgres } from '../../../test/support/databases.ts';
import { serverDatabase } from './server-database.ts';

onPostgres('the connections of a process', (database) => {
  test('are at most as many as it may have', async () => {
    const few = await serverDatabase(database().login ?? '', { connections: 2 });
    const ask = () => few.query<{ pid: number }>('select pg_backend_pid() as pid from pg_sleep(0.02)');
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    await few.close();
    expect(new Set(answers.flat().map(({ pid }) => pid)).size).toBe(2);
  });
});
