import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { attemptOf, testCaseIn } from '../../test/contracts/workspace.ts';
import type { StagedFolder } from '../core/plugin.ts';
import type { WorkspacePlan } from '../core/test-case.ts';
import type { Workspace } from '../core/workspace.ts';
import { allowListed } from '../lib/process/environment.ts';
import type { WorkspacesOptions } from './workspace-job.ts';
import { workspacesOfRun } from './workspaces-of-run.ts';

const { signal } = new AbortController();
const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

function scene(
  staged: Readonly<Record<string, readonly StagedFolder[]>> = {},
  more: Partial<WorkspacesOptions> = {},
) {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'shared-test-')));
  const [root, kept] = [join(folder, 'root'), join(folder, 'kept')];
  for (const name of ['root', 'template', 'own']) fs.mkdirSync(join(folder, name));
  const workspaces = workspacesOfRun({
    root,
    keptDirectory: () => join(folder, 'kept-attempt'),
    sharedDirectory: kept,
    evalRunId: 'run-1',
    environment: allowListed(process.env),
    needsDirectory: () => true,
    stagedFor: (target) => staged[target] ?? [],
    ...more,
  });
  const prepare = async (plan: WorkspacePlan, target = 'bot'): Promise<Workspace> => {
    const workspace = await workspaces.prepare(
      testCaseIn(folder, plan),
      attemptOf(folder, { target }),
      signal,
    );
    if (workspace === undefined) throw new Error('there is no workspace');
    return workspace;
  };
  const end = () => workspaces[Symbol.asyncDispose]();
  opened.push(async () => {
    await end();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const names = (place: string) => (fs.existsSync(place) ? fs.readdirSync(place) : []);
  return {
    folder,
    root,
    kept,
    prepare,
    end,
    names,
    own: join(folder, 'own'),
    template: join(folder, 'template'),
  };
}

test('targets that bring different folders get different directories, those that bring the same share one', async () => {
  const source = fs.mkdtempSync(join(tmpdir(), 'skill-'));
  opened.push(async () => fs.rmSync(source, { recursive: true }));
  const demo = [{ source, to: '.claude/skills/demo' }];
  const { prepare } = scene({ skilled: demo, alike: demo });
  const plan: WorkspacePlan = { shared: { key: 'suite' } };
  const skilled = await prepare(plan, 'skilled');
  await skilled.release('passed');
  const plain = await prepare(plan, 'plain');
  await plain.release('passed');
  const alike = await prepare(plan, 'alike');
  await alike.release('passed');
  expect([fs.readdirSync(skilled.directory), fs.readdirSync(plain.directory)]).toEqual([['.claude'], []]);
  expect(alike.directory).toBe(skilled.directory);
});

test('suites with other plans take turns in one directory, also under another name', async () => {
  const { folder, own, prepare } = scene();
  fs.symlinkSync(own, join(folder, 'link'));
  const first = await prepare({ shared: { directory: own } });
  const bootstrap = { script: ['sh', '-c', 'touch prepared'] };
  let entered = false;
  const next = prepare({ shared: { directory: join(folder, 'link') }, bootstrap }).finally(() => {
    entered = true;
  });
  // Later callers that need not wait have finished.
  for (const key of ['a', 'b']) await (await prepare({ shared: { key }, bootstrap })).release('passed');
  expect([entered, fs.readdirSync(own)]).toEqual([false, []]);
  await first.release('passed');
  await (await next).release('passed');
  expect(fs.readdirSync(own)).toEqual(['prepared']);
});

test('a directory whose bootstrap fails is kept and named, and is not prepared again', async () => {
  const { folder, root, kept, prepare, names, end } = scene();
  const script = ['sh', '-c', `touch made; echo run >> ${folder}/runs; exit 3`];
  const plan: WorkspacePlan = { shared: { key: 'suite' }, bootstrap: { script } };
  const errors = [await prepare(plan).catch(String), await prepare(plan).catch(String)];
  const [name = ''] = names(kept);
  expect(errors[0]).toContain(`exited with code 3; the workspace is kept at ${join(kept, name)}`);
  expect(errors[1]).toBe(errors[0]);
  expect([names(root), names(join(kept, name))]).toEqual([[], ['made']]);
  expect(fs.readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
  await end();
  expect(names(kept)).toEqual([name]);
});

test.each([
  ['shared', { shared: { key: 'suite' } }],
  ['of one attempt', {}],
])('the error of a bootstrap lists what was removed from the kept directory: %s', async (_, plan) => {
  const cleanKept = async () => ({ warnings: ['key.bin is left out'], redacted: ['key.bin'] });
  const { kept, folder, prepare, names } = scene({}, { cleanKept });
  const error = await prepare({ ...plan, bootstrap: { script: ['sh', '-c', 'exit 3'] } }).catch(String);
  const [name] = names(kept);
  const keptAt = name === undefined ? join(folder, 'kept-attempt') : join(kept, name);
  expect(error).toContain(`exited with code 3; the workspace is kept at ${keptAt}; key.bin is left out`);
});

test('a bootstrap that timed out is tried again by the next trial', async () => {
  const { folder, prepare } = scene();
  const script = ['sh', '-c', `[ -e ${folder}/once ] || { touch ${folder}/once; exec sleep 600; }`];
  const plan: WorkspacePlan = { shared: { key: 'suite' }, bootstrap: { script, timeoutMs: 2_000 } };
  await expect(prepare(plan)).rejects.toMatchObject({ kind: 'workspace-bootstrap', transient: true });
  const workspace = await prepare(plan);
  await workspace.release('passed');
  expect(fs.readdirSync(workspace.directory)).toEqual([]);
});

test.each(['ours', 'of the operator'])(
  'a template that cannot be copied says so, in a directory %s',
  async (whose) => {
    const { root, own, template, prepare, names } = scene();
    fs.rmdirSync(template);
    const shared = whose === 'ours' ? { key: 'suite' } : { directory: own };
    await expect(prepare({ shared, template })).rejects.toMatchObject({
      stage: 'workspace',
      kind: 'workspace-template',
    });
    expect(names(root)).toEqual([]);
  },
);
