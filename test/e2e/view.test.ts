import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

/** Names, sizes and times of change. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`)
    .toSorted();
}

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

  test('follows a run that another terminal has started: over 1,000 events, none twice, none missing', async () => {
    const cases = Array.from({ length: 200 }, (_, at) => ({ id: `case ${at}`, input: 'hi' }));
    await using project = openProject({
      'assay.config.json': { targets: { agent: { type: 'mock', response: 'yes' } } },
      'some.eval.yaml': { tests: cases, assert: [{ type: 'contains', value: 'yes' }] },
    });
    const { program, url } = await started(project, []);
    const asked = async <Body>(path: string) => (await (await fetch(`${url}/api/v1${path}`)).json()) as Body;
    const running = project.start(['run']);
    const first = async () => (await asked<{ data: { id: string }[] }>('/runs')).data[0]?.id;
    while ((await first()) === undefined) expect(running.complaints()).toBe('');
    const id = await first();
    const feed = await fetch(`${url}/api/v1/runs/${id}/events`, { headers: { accept: 'text/event-stream' } });
    const told = [...(await feed.text()).matchAll(/^id: (\d+)\nevent: (.*)$/gm)];
    expect((await running.ended).code).toBe(0);
    expect(told.map(([, sequence]) => Number(sequence))).toEqual(told.map((_, at) => at + 1));
    expect(told.length).toBeGreaterThan(1000);
    expect(told.at(-1)?.[2]).toBe('run-end');
    const ends = told.filter(([, , type]) => type === 'trial-end').length;
    const run = await asked<{ totals: { counts: object } }>(`/runs/${id}`);
    expect([ends, run.totals.counts]).toMatchObject([200, { total: 200, passed: 200 }]);
    program.kill('SIGINT');
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('gives the comparison that assay compare prints as JSON', async () => {
    await using project = await projectWithRun();
    await project.start(['run']).ended;
    const [base = '', candidate = ''] = project.runs().map((run) => run.split('/').at(-1) ?? '');
    const printed = await project.start(['compare', base, candidate, '--json']).ended;
    const { program, url } = await started(project, []);
    const answer = await fetch(`${url}/api/v1/comparisons?base=${base}&candidate=${candidate}`);
    expect(await answer.json()).toEqual(JSON.parse(printed.stdout));
    program.kill('SIGINT');
    await program.ended;
  });

  test('changes nothing in the folder of the runs, and leaves no file elsewhere', async () => {
    await using project = await projectWithRun();
    const run = newestRun(project);
    const before = filesBelow(run);
    const { program, url } = await started(project, []);
    const id = run.split('/').at(-1) ?? '';
    const places = ['', '/cost', '/distributions', '/judges', '/trials', '/trials/1', '/trials/1/transcript'];
    const exports = ['jsonl', 'csv', 'junit', 'markdown', 'html'].map((format) => `/export?format=${format}`);
    for (const place of [...places, ...exports]) {
      const answer = await fetch(`${url}/api/v1/runs/${id}${place}`);
      expect([place, answer.status]).toEqual([place, 200]);
      await answer.arrayBuffer();
    }
    expect(filesBelow(run)).toEqual(before);
    program.kill('SIGINT');
    await program.ended;
    expect(project.litter()).toEqual([]);
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
