import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const LOOKS_EVERY_MS = 250;

/** Waits for what a server writes of a plan after its answer, and for what PostgreSQL then does with its tables. */
export async function settledTables(url, run) {
  const database = new Client(url);
  await database.connect();
  try {
    while ((await database.query(WAITS, [run])).rows.length > 0) await pause(LOOKS_EVERY_MS);
    await database.query('vacuum (analyze)');
  } finally {
    await database.end();
  }
}

const WAITS = `
  select 1 from waiting_trials where run_id = $1 union all select 1 from waiting_copies where run_id = $1 limit 1`;
