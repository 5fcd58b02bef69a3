import { expect, test } from 'vitest';

import type { Database } from '../../src/storage/database/database.ts';
import { fillCopies } from '../../src/storage/database/runs/frozen.ts';
import { prepare } from '../support/databases.ts';
import { countingAgent } from './support/counting-agent.ts';
import { describeEachStore, endKilledLeases } from './support/each-store.ts';
import { openProject } from './support/project.ts';
import { killed, PATIENCE_MS, served } from './support/served.ts';
import { until } from './support/until.ts';

/** More cases than a run writes together with its plan. */
const CASES = 5001;

const ANSWERS = 3;

describeEachStore(({ environment, query }) => {
  test('a large run whose server was killed right after the answer goes on with the cases of that moment', async () => {
    const said: string[] = [];
    await using agent = await countingAgent((text) => (said.push(text), 'right'));
    await using project = openProject({
      'assay.config.json': {
        targets: { bot: { type: 'http', url: agent.url } },
        user: { type: 'scripted', messages: [] },
        judge: { model: 'none/none', metrics: [] },
        run: { concurrency: 1, expectations: [{ type: 'contains', value: 'right' }] },
      },
      'cases.json': Array.from({ length: CASES }, (_each, number) => ({
        name: `case ${number}`,
        initial_message: `question ${number}`,
      })),
    });
    const env = environment();
    const isEmbedded = env['DATABASE_URL'] === undefined;
    if (isEmbedded) await prepare(project.path('.assay/data'));
    for (const args of [...(isEmbedded ? [] : [['db', 'migrate']]), ['cases', 'import', 'cases.json']])
      expect(await project.start(args, env).ended).toMatchObject({ code: 0 });
    const first = await served(project, env);
    const { status, body } = await first.ask('POST', '/runs', { select: {} });
    await killed(first.program);
    expect(status).toBe(202);
    await query(project, ({ script }) => script(`update test_case set initial_message = 'edited'`));
    await endKilledLeases(env);

    const next = await served(project, env, ['--resume']);
    agent.allow(ANSWERS);
    await until('answers', () => agent.answered() >= ANSWERS, PATIENCE_MS);
    expect((await next.ask('POST', `/runs/${body.id}/cancel`, {})).status).toBe(202);
    const state = async () => (await next.ask('GET', `/runs/${body.id}`)).body.state;
    await until('the end of the run', async () => (await state()) === 'stopped', PATIENCE_MS);
    next.program.kill('SIGINT');
    expect((await next.program.ended).code).toBe(0);

    expect(said.filter((text) => !text.startsWith('question '))).toEqual([]);
    // Copies may still wait when a run has ended.
    await query(project, (database) => fillCopies(database, body.id as string));
    expect(await query(project, rowsOf)).toEqual([{ trials: CASES, copies: CASES, edited: 0, waiting: 0 }]);
  }, 600_000);
});

const rowsOf = ({ query }: Database) =>
  query(`
    with copied as (select body::text as body from run_frozen join frozen using (digest, content) where kind = 'case')
    select (select count(*) from trial) as trials, (select count(*) from copied) as copies,
      (select count(*) from copied where body like '%edited%') as edited,
      (select count(*) from waiting_trials) + (select count(*) from waiting_copies) as waiting`);
