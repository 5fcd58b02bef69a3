import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { describeEachStore, endKilledLeases } from './support/each-store.ts';
import { openProject } from './support/here.ts';
import type { Files, Project } from './support/project.ts';
import { until } from './support/until.ts';

const TRIALS = 8;

const files: Files = {
  'assay.config.json': {
    targets: { bot: { type: 'cli', command: ['sh', './agent.sh'] } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, concurrency: 2, expectations: [{ type: 'contains', value: 'right' }] },
  },
  // The fifth question and those behind it have no answer until `go` is there.
  'agent.sh': `read -r question; echo "$question" >> asked.txt
    [ $(wc -l < asked.txt) -le 4 ] || while ! [ -e go ]; do sleep 0.05; done
    echo "right: $question"`,
  'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
    name: `case ${number}`,
    initial_message: `question ${number}\n`,
  })),
};

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

const asked = (project: Project) =>
  existsSync(project.path('asked.txt')) ? project.read('asked.txt').trim().split('\n').length : 0;

describeEachStore(({ environment, query }) => {
  test(
    'keeps a run that was killed: it is interrupted, and resuming completes it',
    async () => {
      await using project = openProject(files);
      const assay = (...args: readonly string[]) => project.here(args, environment());
      const listed = async () => JSON.parse((await assay('runs', '--stored', '--json')).stdout) as Listed;
      if ('DATABASE_URL' in environment()) await assay('db', 'migrate');
      await assay('cases', 'import', 'cases.json');

      const program = project.start(['run', '--stored'], environment());
      await until('some trials have ended', () => asked(project) > 4);
      program.kill('SIGKILL');
      await program.ended;
      project.write({ go: '' });
      await endKilledLeases(environment());
      const killed = await listed();
      expect([killed.state, killed.counts['total']]).toEqual(['interrupted', expect.any(Number)]);
      expect(killed.counts['total']).toBeLessThan(TRIALS);

      const resumed = await assay('resume', '--stored', 'latest');
      expect([resumed.stderr, resumed.code]).toEqual(['', 0]);
      const whole = await listed();
      expect([whole.id, whole.state, whole.counts['passed']]).toEqual([killed.id, 'completed', TRIALS]);
      const ends = await query(project, ({ query: read }) =>
        read<{ ends: number }>(
          `select count(*) as ends from run_event where type = 'trial-end' group by trial_key`,
        ),
      );
      expect(ends).toEqual(Array.from({ length: TRIALS }, () => ({ ends: 1 })));
      expect(await project.orphans()).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'goes on after its server was killed: from the API, or by itself with --resume',
    async () => {
      await using project = openProject(files);
      const assay = (...args: readonly string[]) => project.here(args, environment());
      if ('DATABASE_URL' in environment()) await assay('db', 'migrate');
      await assay('cases', 'import', 'cases.json', '--on-conflict', 'skip', '--match', 'name');

      const first = await served(project, environment(), []);
      const begun = await first.ask('POST', '/runs', { select: {} });
      await until('some trials have ended', () => asked(project) > 4);
      first.program.kill('SIGKILL');
      await first.program.ended;
      project.write({ go: '' });
      await endKilledLeases(environment());

      const isOwn = 'DATABASE_URL' in environment();
      const second = await served(project, environment(), isOwn ? ['--resume'] : []);
      const asks = isOwn
        ? []
        : [
            await second.ask('GET', `/runs/${begun.id}`),
            await second.ask('POST', `/runs/${begun.id}/resume`, {}),
          ];
      expect(asks.map(({ id, state }) => [id, state]).slice(0, 1)).toEqual(
        isOwn ? [] : [[begun.id, 'interrupted']],
      );
      await until('the run has ended', async () => {
        const { state } = await second.ask('GET', `/runs/${begun.id}`);
        return state === 'completed';
      });
      const whole = await second.ask('GET', `/runs/${begun.id}`);
      expect(whole.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
      second.program.kill('SIGINT');
      expect((await second.program.ended).code).toBe(0);
      const ends = await query(project, ({ query: read }) =>
        read<{ ends: number }>(
          `select count(*) as ends from run_event where type = 'trial-end' and run_id = $1 group by trial_key`,
          [begun.id],
        ),
      );
      expect(ends).toEqual(Array.from({ length: TRIALS }, () => ({ ends: 1 })));
    },
    PATIENCE_MS,
  );
});

/** Opening an embedded database takes seconds of a busy machine. */
const PATIENCE_MS = 300_000;

interface Answered {
  readonly id: string;
  readonly state: string;
  readonly totals: { readonly counts: Readonly<Record<string, number>> } | null;
}

async function served(
  project: Project,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[],
) {
  const program = project.start(['serve', '--port', '0', ...flags], environment);
  const url = await until('the server answers', () => /http:\S+/.exec(program.printed())?.[0]);
  return {
    program,
    async ask(method: string, path: string, body?: object): Promise<Answered> {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Answered;
    },
  };
}
