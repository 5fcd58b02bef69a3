// Bare pg-boss: the same number of jobs, each of which asks the agent once. Prints the milliseconds they took.
//   node pg-boss.mjs DATABASE_URL JOBS SLOTS AGENT_URL
import { PgBoss } from 'pg-boss';

const [connectionString, jobs, slots, url] = process.argv.slice(2);
const boss = new PgBoss({ connectionString, schema: 'bare', schedule: false, supervise: false });
await boss.start();
await boss.createQueue('trials');
await boss.insert(
  'trials',
  Array.from({ length: Number(jobs) }, (_, number) => ({ data: { number } })),
);
const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(slots) }, work));
process.stdout.write(String(performance.now() - startedAt));
await boss.stop({ graceful: false, close: true });

async function work() {
  for (;;) {
    const [job] = await boss.fetch('trials');
    if (job === undefined) return;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(job.data) });
    await answer.text();
    await boss.complete('trials', job.id);
  }
}
