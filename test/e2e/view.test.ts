import { describe, expect, test } from 'vitest';

import { newestRun, openProject, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const projectWithRun = async (): Promise<Project> => {
  const project = openProject({
    'assay.config.json': { targets: { agent: { type: 'mock', response: 'yes' } } },
    'some.eval.yaml': { tests: [{ id: 'one', input: 'hi' }], assert: [{ type: 'contains', value: 'yes' }] },
  });
  await project.start(['run']).ended;
  return project;
};

async function started(project: Project, args: readonly string[]) {
  const program = project.start(['view', '--port', '0', ...args]);
  await until('its address', () => program.printed().includes('Ctrl-C'));
  const [url = ''] = /http:\S+/.exec(program.printed()) ?? [];
  return { program, url };
}

describe.concurrent('assay view', () => {
  test('serves the runs and the dashboard until it is interrupted, also while somebody listens', async () => {
    await using project = await projectWithRun();
    const { program, url } = await started(project, ['latest']);
    const { origin, pathname } = new URL(url);
    const id = newestRun(project).split('/').at(-1) ?? '';
    expect(pathname).toBe(`/runs/${id}`);
    const runs = (await (await fetch(`${origin}/api/v1/runs`)).json()) as { data: { id: string }[] };
    expect(runs.data.map((run) => run.id)).toEqual([id]);
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const feed = await fetch(`${origin}/api/v1/feed`);
    expect(feed.status).toBe(200);
    program.kill('SIGINT');
    expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    await expect(feed.text()).rejects.toThrow('terminated');
  });

  test('says which port is in use, and what to do', async () => {
    await using project = await projectWithRun();
    const { program, url } = await started(project, []);
    const { port } = new URL(url);
    const second = await project.start(['view', '--port', port]).ended;
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`port ${port} is in use`);
    expect(second.stderr).toContain('choose another --port, or 0 for any free port');
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, signal: null });
  });

  test('without a browser says so and goes on', async () => {
    await using project = await projectWithRun();
    const { program, url } = await started(project, ['--open']);
    await until('why', () => program.complaints().includes('open the address manually'));
    expect((await fetch(url)).status).toBe(200);
    program.kill('SIGINT');
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  test('of a run that is not there starts nothing', async () => {
    await using project = await projectWithRun();
    const ended = await project.start(['view', '--port', '0', 'nothing']).ended;
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain('no run "nothing"');
  });
});
