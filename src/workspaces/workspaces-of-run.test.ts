import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { attemptOf, testCaseIn, workspaceContract } from '../../test/contracts/workspace.ts';
import type { TestCase, WorkspacePlan } from '../core/test-case.ts';
import type { Workspace } from '../core/workspace.ts';
import { makeDeepTree } from '../../test/support/deep-tree.ts';
import { allowListed } from '../lib/process/environment.ts';
import { seededRandom } from '../lib/random.ts';
import type { WorkspacesOptions } from './workspace-job.ts';
import { workspacesOfRun } from './workspaces-of-run.ts';

const signal = new AbortController().signal;
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

/** A folder with a place for workspaces and one for kept ones. */
function scene(options: Partial<WorkspacesOptions> = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'workspaces-test-')));
  const root = join(folder, 'root');
  fs.mkdirSync(root);
  const workspaces = workspacesOfRun({
    root,
    keptDirectory: (trial, attempt) => join(folder, 'kept', `${trial.repetition}-attempt-${attempt}`),
    evalRunId: 'run-1',
    environment: allowListed(process.env),
    needsDirectory: () => false,
    ...options,
  });
  const prepare = async (plan: WorkspacePlan, extra: Partial<TestCase> = {}): Promise<Workspace> => {
    const testCase = { ...testCaseIn(folder, plan), ...extra };
    const attempt = attemptOf(folder, extra.id === undefined ? {} : { caseId: extra.id });
    const workspace = await workspaces.prepare(testCase, attempt, signal);
    if (workspace === undefined) throw new Error('there is no workspace');
    return workspace;
  };
  const write = (path: string, content: string | Uint8Array): string => {
    const file = join(folder, path);
    fs.mkdirSync(join(file, '..'), { recursive: true });
    fs.writeFileSync(file, content);
    return file;
  };
  const close = async () => {
    await workspaces[Symbol.asyncDispose]();
    execFileSync('chmod', ['-R', 'u+rwX', folder]);
    fs.rmSync(folder, { recursive: true, force: true });
  };
  opened.push({ close });
  return { folder, root, workspaces, prepare, write, template: join(folder, 'template') };
}

workspaceContract('an isolated workspace', async () => scene());

function gradedIn(workspace: Workspace): string {
  return workspace.gradedDirectory?.() ?? workspace.directory;
}

async function changesOf(workspace: Workspace): Promise<readonly [string, string][]> {
  await workspace.capture(signal);
  return (await workspace.changes()).map(({ path, change }) => [path, change]);
}

function git(cwd: string, ...args: string[]): string {
  const env = { ...allowListed(process.env), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
}

/** Every path below a folder with its content. */
function contentOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.slice(folder.length)] = fs.readFileSync(path, 'latin1');
  }
  return found;
}

describe('the directory', () => {
  test('has a neutral name, is closed to others and is new for every attempt', async () => {
    const { prepare, root } = scene();
    const one = await prepare({}, { id: '../../x' });
    const two = await prepare({}, { id: '../../x' });
    expect(one.directory).not.toBe(two.directory);
    expect(basename(one.directory)).toMatch(/^w-[0-9a-f]{12}-\w{6}$/);
    expect(join(one.directory, '..')).toBe(root);
    expect(fs.statSync(one.directory).mode & 0o777).toBe(0o700);
  });

  test('an id is not used as a path: nothing outside is touched', async () => {
    const { prepare, folder, write } = scene();
    write('x/precious.txt', 'precious');
    const setup = { script: ['sh', '-c', 'printf %s "$ASSAY_CASE_ID"'] };
    const workspace = await prepare({ setup, keep: 'always' }, { id: '../../x' });
    expect(await workspace.release('failed')).toEqual({
      keptAt: join(folder, 'kept/1-attempt-1'),
      warnings: [],
    });
    expect(fs.readFileSync(join(folder, 'x/precious.txt'), 'utf8')).toBe('precious');
  });

  test('a target that needs one gets an empty directory without a plan', async () => {
    const { workspaces, folder } = scene({ needsDirectory: (target) => target === 'agent' });
    const { workspace: _, ...testCase } = testCaseIn(folder, {});
    const workspace = await workspaces.prepare(testCase, attemptOf(folder, { target: 'agent' }), signal);
    expect(fs.readdirSync(workspace?.directory ?? '')).toEqual([]);
    fs.writeFileSync(join(workspace?.directory ?? '', 'made.txt'), '1\n');
    await workspace?.capture(signal);
    expect((await workspace?.changes())?.map(({ path }) => path)).toEqual(['made.txt']);
    expect(
      await workspaces.prepare(testCase, attemptOf(folder, { target: 'model' }), signal),
    ).toBeUndefined();
  });

  test('nothing is left of workspaces that are not kept', async () => {
    const { prepare, write, template, root, workspaces } = scene();
    write('template/a.txt', 'a');
    const workspace = await prepare({ template });
    fs.writeFileSync(join(workspace.directory, 'b.txt'), 'b');
    await changesOf(workspace);
    await workspace.release('passed');
    await workspaces[Symbol.asyncDispose]();
    await workspaces[Symbol.asyncDispose]();
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('is refused inside a repository', async () => {
    const { prepare, root, folder } = scene();
    fs.mkdirSync(join(folder, '.git'));
    await expect(prepare({})).rejects.toMatchObject({
      code: 'workspace-root',
      message: `workspaces would be inside the git repository ${folder}`,
      hint: 'write as `run.workspaceRoot` a folder outside any repository',
    });
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('a machine without git gets one clear error', async () => {
    const { prepare } = scene({ environment: { PATH: '/nowhere' } });
    await expect(prepare({})).rejects.toMatchObject({
      code: 'git-missing',
      kind: 'workspace-template',
      message: 'git is not on PATH, but it is needed to record what the agent changes',
      hint: 'Install git, or add its folder to PATH.',
    });
  });
});

describe('the template', () => {
  test('is copied whole: hidden files, its repository, links as links, permissions', async () => {
    const { prepare, write, template } = scene();
    write('template/.hidden/.env', 'X=1');
    write('template/run.sh', '#!/bin/sh\n');
    fs.chmodSync(join(template, 'run.sh'), 0o750);
    fs.symlinkSync('run.sh', join(template, 'link'));
    fs.symlinkSync('/nowhere/at all', join(template, 'dangling'));
    fs.mkdirSync(join(template, 'empty'), { mode: 0o500 });
    git(template, 'init', '-q');
    git(template, 'add', '-A');
    git(template, 'commit', '-q', '-m', 'first');
    const { directory } = await prepare({ template });
    expect(contentOf(directory)).toEqual(contentOf(template));
    expect(fs.statSync(join(directory, 'run.sh')).mode & 0o777).toBe(0o750);
    expect(fs.statSync(join(directory, 'empty')).mode & 0o777).toBe(0o500);
    expect(fs.readlinkSync(join(directory, 'link'))).toBe('run.sh');
    expect(fs.readlinkSync(join(directory, 'dangling'))).toBe('/nowhere/at all');
    expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  test('keeps its own repository byte for byte, in the template and in the copy', async () => {
    const { prepare, write, template } = scene();
    write('template/a.txt', 'a\n');
    write('template/sub/b.txt', 'b\n');
    for (const folder of [template, join(template, 'sub')]) {
      git(folder, 'init', '-q');
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'first');
    }
    const before = contentOf(join(template, '.git'));
    const workspace = await prepare({ template });
    fs.writeFileSync(join(workspace.directory, 'a.txt'), 'A\n');
    fs.writeFileSync(join(workspace.directory, 'sub/b.txt'), 'B\n');
    expect(await changesOf(workspace)).toEqual([
      ['a.txt', 'edited'],
      ['sub/b.txt', 'edited'],
    ]);
    expect(contentOf(join(workspace.directory, '.git'))).toEqual(before);
    expect(contentOf(join(template, '.git'))).toEqual(before);
  });

  test('cannot hide changes by ignore files or attributes, and no filter of it runs', async () => {
    const { prepare, write, template, folder } = scene();
    write('template/.gitignore', '*\n');
    write('template/.gitattributes', '* -diff -text filter=evil\n');
    write('template/a.txt', 'a\r\n');
    git(template, 'init', '-q');
    git(template, 'config', 'filter.evil.clean', `touch ${folder}/evil; cat`);
    const workspace = await prepare({ template });
    fs.writeFileSync(join(workspace.directory, 'ignored.log'), 'l\r\n');
    await workspace.capture(signal);
    const changes = await workspace.changes();
    expect(changes.map(({ path }) => path)).toEqual(['ignored.log']);
    expect(changes[0]?.diff).toContain('+l\r\n');
    expect(fs.existsSync(join(folder, 'evil'))).toBe(false);
  });

  test('an edit of the same size and time is found', async () => {
    const { prepare, write, template } = scene();
    write('template/a.txt', 'aaaa\n');
    fs.utimesSync(join(template, 'a.txt'), 1000, 1000);
    const workspace = await prepare({ template });
    const file = join(workspace.directory, 'a.txt');
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, 'bbbb\n');
    fs.utimesSync(file, atime, mtime);
    expect(await changesOf(workspace)).toEqual([['a.txt', 'edited']]);
  });

  test('that changes between two attempts is the baseline as each of them got it', async () => {
    const { prepare, write, template } = scene();
    write('template/a.txt', 'one\n');
    const one = await prepare({ template });
    write('template/a.txt', 'two\n');
    const two = await prepare({ template });
    expect([await changesOf(one), await changesOf(two)]).toEqual([[], []]);
    write('template/a.txt', 'one\n');
    const three = await prepare({ template });
    fs.rmSync(join(three.directory, 'a.txt'));
    await three.capture(signal);
    expect((await three.changes())[0]?.diff).toContain('\n-one\n');
  });

  test('is shared by attempts side by side, each with its own changes', async () => {
    const { prepare, write, template } = scene();
    for (let n = 0; n < 30; n++) write(`template/f${n}.txt`, `${n}\n`);
    const found = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const workspace = await prepare({ template });
        fs.writeFileSync(join(workspace.directory, `f${n}.txt`), 'changed\n');
        const changes = await changesOf(workspace);
        await workspace.release('passed');
        return changes;
      }),
    );
    expect(found).toEqual(Array.from({ length: 8 }, (_, n) => [[`f${n}.txt`, 'edited']]));
  });

  test('that is a file is an error', async () => {
    const { prepare, write, root } = scene();
    const template = write('template', 'x');
    await expect(prepare({ template })).rejects.toMatchObject({
      kind: 'workspace-template',
      message: `the workspace template ${template} cannot be copied: it is not a folder`,
    });
    expect(fs.readdirSync(root)).toEqual([]);
  });
});

describe('scripts', () => {
  test('get one line on stdin, the environment and the folder of the eval file', async () => {
    const { prepare, folder } = scene({
      environment: { PATH: process.env['PATH'] ?? '' },
      outputDirectory: '/out',
    });
    const env = { COLOUR: 'blue', ASSAY_RUN_ID: 'cannot be replaced' };
    const setup = { script: ['sh', '-c', 'pwd; cat; env | grep -E "ASSAY|COLOUR|HOME" | sort'], env };
    const script = ['sh', '-c', `{ ${setup.script[2]}; } > "$ASSAY_ARTIFACT_DIR/seen"`];
    const metadata = { riskLevel: 'high', nested: { a_b: 1 } };
    const workspace = await prepare({ setup: { ...setup, script } }, { metadata });
    const [cwd, line, ...variables] = fs
      .readFileSync(join(folder, 'artifacts/seen'), 'utf8')
      .trim()
      .split('\n');
    expect(cwd).toBe(folder);
    expect(JSON.parse(line ?? '')).toEqual({
      workspace_path: workspace.directory,
      test_id: 'case',
      eval_run_id: 'run-1',
      case_input: 'do it',
      case_metadata: metadata,
    });
    expect(variables).toEqual([
      `ASSAY_ARTIFACT_DIR=${folder}/artifacts`,
      expect.stringMatching(/^ASSAY_ATTEMPT=/),
      'ASSAY_CASE_ID=case',
      'ASSAY_OUTPUT_DIR=/out',
      'ASSAY_RUN_ID=run',
      'ASSAY_TARGET_ID=target',
      `ASSAY_WORKSPACE=${workspace.directory}`,
      'COLOUR=blue',
    ]);
  });

  test('a command with `./` is searched next to the eval file, whatever the working directory', async () => {
    const { prepare, write, folder } = scene();
    fs.chmodSync(write('prep.sh', '#!/bin/sh\npwd > "$ASSAY_WORKSPACE/where"\n'), 0o755);
    const cwd = fs.mkdirSync(join(folder, 'elsewhere'), { recursive: true }) ?? '';
    const { directory } = await prepare({ setup: { script: ['./prep.sh'], cwd } });
    expect(fs.readFileSync(join(directory, 'where'), 'utf8')).toBe(`${cwd}\n`);
  });

  test('a script that reads nothing of a long input is fine', async () => {
    const { prepare } = scene();
    const parts = [{ text: 'x'.repeat(2_000_000) }];
    const plan = { setup: { script: ['true'] }, teardown: { script: ['true'] } };
    const workspace = await prepare(plan, { input: [{ role: 'user', parts }] });
    expect(await workspace.release('passed')).toEqual({ warnings: [] });
  });

  test('setup runs in the copied template, and teardown in the directory that the agent left', async () => {
    const { prepare, write, template, folder } = scene();
    write('template/a.txt', 'a');
    const listing = (name: string) => ({ script: ['sh', '-c', `ls "$ASSAY_WORKSPACE" > ${folder}/${name}`] });
    const workspace = await prepare({
      template,
      setup: listing('at-setup'),
      teardown: listing('at-teardown'),
    });
    fs.writeFileSync(join(workspace.directory, 'b.txt'), 'b');
    await workspace.release('passed');
    expect(fs.readFileSync(join(folder, 'at-setup'), 'utf8')).toBe('a.txt\n');
    expect(fs.readFileSync(join(folder, 'at-teardown'), 'utf8')).toBe('a.txt\nb.txt\n');
  });

  test('a failed setup names the directory that is kept, without secrets', async () => {
    const { prepare, folder, root } = scene({ redact: (text) => text.replaceAll('hunter22', '[redacted]') });
    const script = ['sh', '-c', 'echo x > "$ASSAY_WORKSPACE/trace"; echo the hunter22 end >&2; exit 7'];
    await expect(prepare({ setup: { script } })).rejects.toMatchObject({
      kind: 'workspace-setup',
      message: expect.stringMatching(
        new RegExp(
          `exited with code 7; the workspace is kept at ${folder}/kept/1-attempt-1; its stderr ends:\nthe \\[redacted\\] end$`,
        ),
      ),
    });
    expect(fs.readFileSync(join(folder, 'kept/1-attempt-1/trace'), 'utf8')).toBe('x\n');
    expect(fs.readdirSync(root)).toHaveLength(0);
  });

  test('`keep: never` also removes the directory of a setup that failed', async () => {
    const { prepare, root, folder } = scene();
    const setup = { script: ['sh', '-c', 'exit 3'] };
    await expect(prepare({ setup, keep: 'never' })).rejects.toMatchObject({
      kind: 'workspace-setup',
      message: expect.not.stringContaining('is kept at') as string,
    });
    expect([fs.readdirSync(root), fs.existsSync(join(folder, 'kept'))]).toEqual([[], false]);
  });

  test('a setup without end is ended at its time', async () => {
    const { prepare } = scene();
    const setup = { script: ['sh', '-c', 'echo begun >&2; sleep 60'], timeoutMs: 2_000 };
    await expect(prepare({ setup })).rejects.toMatchObject({
      kind: 'workspace-setup',
      message: expect.stringMatching(/timed out after 2000 ms; .*begun$/s),
    });
  });

  test('a setup program that does not exist is named', async () => {
    const { prepare } = scene();
    await expect(prepare({ setup: { script: ['no-such-program-here'] } })).rejects.toMatchObject({
      kind: 'workspace-setup',
      message: expect.stringContaining('could not be started: no-such-program-here: program not found'),
    });
  });

  test('a teardown without end is ended at its time and is a warning', async () => {
    const { prepare } = scene();
    const workspace = await prepare({ teardown: { script: ['sleep', '60'], timeoutMs: 200 } });
    expect(await workspace.release('passed')).toEqual({
      warnings: ['the teardown script `sleep 60` timed out after 200 ms'],
    });
  });

  test('a run that is abandoned during setup passes teardown and leaves nothing', async () => {
    const { workspaces, folder, root } = scene();
    const begun = join(folder, 'begun');
    const plan = {
      setup: { script: ['sh', '-c', `touch ${begun}; exec sleep 60`] },
      teardown: { script: ['sh', '-c', `touch ${folder}/torn-down`] },
    };
    const abort = new AbortController();
    const watcher = fs.watch(folder, () => fs.existsSync(begun) && abort.abort(new Error('stopped')));
    const prepared = workspaces.prepare(testCaseIn(folder, plan), attemptOf(folder), abort.signal);
    await expect(prepared).rejects.toThrow('stopped');
    watcher.close();
    expect(fs.existsSync(join(folder, 'torn-down'))).toBe(true);
    await workspaces[Symbol.asyncDispose]();
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('a process that setup leaves behind is ended with it', async () => {
    const { prepare, folder } = scene();
    const script = [
      'sh',
      '-c',
      `setsid sh -c 'echo $$ > ${folder}/pid; exec sleep 60' > /dev/null 2>&1 & while ! [ -s ${folder}/pid ]; do :; done`,
    ];
    await prepare({ setup: { script } });
    const pid = Number(fs.readFileSync(join(folder, 'pid'), 'utf8'));
    const state = () =>
      fs.existsSync(`/proc/${pid}/stat`)
        ? fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2]
        : 'gone';
    // It has been killed; the kernel may take a moment.
    await expect.poll(() => ['gone', 'Z', 'X'].includes(state() ?? '')).toBe(true);
  });
});

describe('changes', () => {
  test('are reported for every kind of content', async () => {
    const { prepare, write, template } = scene();
    write('template/text.txt', 'one\ntwo\n');
    write('template/binary', Buffer.from([0, 1, 2, 255]));
    write('template/mode.sh', 'x\n');
    write('template/becomes-link', 'x\n');
    write('template/becomes-folder', 'x\n');
    write('template/folder/inner.txt', 'x\n');
    const workspace = await prepare({ template });
    const at = (path: string) => join(workspace.directory, path);
    fs.writeFileSync(at('text.txt'), 'one\n2\n');
    fs.writeFileSync(at('binary'), Buffer.from([0, 9]));
    fs.chmodSync(at('mode.sh'), 0o755);
    fs.rmSync(at('becomes-link'));
    fs.symlinkSync('/etc/passwd', at('becomes-link'));
    fs.rmSync(at('becomes-folder'));
    fs.mkdirSync(at('becomes-folder'));
    fs.writeFileSync(at('becomes-folder/x'), '');
    fs.rmSync(at('folder'), { recursive: true });
    fs.writeFileSync(at('folder'), 'now a file\n');
    fs.writeFileSync(at('with\nline "end"\\'), 'odd\n');
    fs.writeFileSync(at('ünïcode'), 'u\n');
    await workspace.capture(signal);
    const changes = await workspace.changes();
    const zero = '0'.repeat(40);
    expect(
      changes.map(({ path, change, diff }) => [
        path,
        change,
        diff?.replaceAll(zero, '0').replaceAll(/\b[0-9a-f]{40}\b/g, 'id'),
      ]),
    ).toEqual([
      [
        'becomes-folder',
        'deleted',
        'diff --git a/becomes-folder b/becomes-folder\ndeleted file mode 100644\nindex id..0\n--- a/becomes-folder\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      ],
      [
        'becomes-folder/x',
        'created',
        'diff --git a/becomes-folder/x b/becomes-folder/x\nnew file mode 100644\nindex 0..id\n',
      ],
      [
        'becomes-link',
        'edited',
        'diff --git a/becomes-link b/becomes-link\ndeleted file mode 100644\nindex id..0\n--- a/becomes-link\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/becomes-link b/becomes-link\nnew file mode 120000\nindex 0..id\n--- /dev/null\n+++ b/becomes-link\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n',
      ],
      ['binary', 'edited', undefined],
      [
        'folder',
        'created',
        'diff --git a/folder b/folder\nnew file mode 100644\nindex 0..id\n--- /dev/null\n+++ b/folder\n@@ -0,0 +1 @@\n+now a file\n',
      ],
      [
        'folder/inner.txt',
        'deleted',
        'diff --git a/folder/inner.txt b/folder/inner.txt\ndeleted file mode 100644\nindex id..0\n--- a/folder/inner.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      ],
      ['mode.sh', 'edited', 'diff --git a/mode.sh b/mode.sh\nold mode 100644\nnew mode 100755\n'],
      [
        'text.txt',
        'edited',
        'diff --git a/text.txt b/text.txt\nindex id..id 100644\n--- a/text.txt\n+++ b/text.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
      ],
      [
        'with\nline "end"\\',
        'created',
        'diff --git "a/with\\nline \\"end\\"\\\\" "b/with\\nline \\"end\\"\\\\"\nnew file mode 100644\nindex 0..id\n--- /dev/null\n+++ "b/with\\nline \\"end\\"\\\\"\t\n@@ -0,0 +1 @@\n+odd\n',
      ],
      [
        'ünïcode',
        'created',
        'diff --git a/ünïcode b/ünïcode\nnew file mode 100644\nindex 0..id\n--- /dev/null\n+++ b/ünïcode\n@@ -0,0 +1 @@\n+u\n',
      ],
    ]);
  });

  test('a diff of many megabytes is whole', async () => {
    const { prepare } = scene();
    const workspace = await prepare({});
    const line = `${'x'.repeat(99)}\n`;
    fs.writeFileSync(join(workspace.directory, 'big.txt'), line.repeat(400_000));
    await workspace.capture(signal);
    const [change] = await workspace.changes();
    expect(change?.diff?.length).toBeGreaterThan(400_000 * 101);
    expect(change?.diff?.endsWith(`+${line}`)).toBe(true);
  });

  test('ten thousand files are found', async () => {
    const { prepare } = scene();
    const workspace = await prepare({});
    for (let n = 0; n < 10_000; n++) fs.writeFileSync(join(workspace.directory, `f${n}`), `${n}\n`);
    await workspace.capture(signal);
    const changes = await workspace.changes();
    expect(changes).toHaveLength(10_000);
    expect(changes.every(({ path, diff }) => diff?.endsWith(`+${path.slice(1)}\n`))).toBe(true);
    await workspace.release('passed');
  });

  test('match git for many trees at random', async () => {
    const { prepare, template } = scene();
    const names = ['a', 'a-b', 'a.b', 'a/b', 'a0', 'b', 'b/c', 'b/c/d', 'b-', 'c'];
    const random = seededRandom(7);
    const pick = () => names.filter(() => random() < 0.4);
    for (let round = 0; round < 12; round++) {
      fs.rmSync(template, { recursive: true, force: true });
      fs.mkdirSync(template);
      const put = (path: string, name: string) => {
        try {
          fs.mkdirSync(join(path, name, '..'), { recursive: true });
          fs.writeFileSync(join(path, name), `${Math.floor(random() * 3)}\n`);
        } catch {
          // The name is taken by a folder, or a folder by a file.
        }
      };
      const drop = (path: string, name: string) => {
        if (fs.existsSync(join(path, name))) fs.rmSync(join(path, name), { recursive: true });
      };
      for (const name of pick()) put(template, name);
      const workspace = await prepare({ template });
      for (const name of pick()) drop(workspace.directory, name);
      for (const name of pick()) put(workspace.directory, name);
      await workspace.capture(signal);
      for (const { path, diff } of await workspace.changes())
        expect(diff).toContain(`diff --git a/${path} b/${path}\n`);
      await workspace.release('passed');
    }
  });

  test('nothing that an agent leaves behind ends the run', async () => {
    const { prepare, write, template, root, workspaces } = scene();
    write('template/closed/a.txt', 'a\n');
    const workspace = await prepare({ template });
    const at = (path: string) => join(workspace.directory, path);
    fs.symlinkSync('.', at('loop'));
    fs.symlinkSync('/', at('everything'));
    execFileSync('mkfifo', [at('pipe')]);
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${workspace.directory}/`), Buffer.from([0x66, 0xff, 0xfe])]),
      'bytes\n',
    );
    fs.mkdirSync(at('.git'));
    fs.writeFileSync(at('.git/HEAD'), 'nonsense');
    fs.mkdirSync(at('nested/.GIT'), { recursive: true });
    fs.writeFileSync(at('nested/git~1'), '1\n');
    fs.chmodSync(at('closed/a.txt'), 0);
    fs.chmodSync(at('closed'), 0);
    fs.chmodSync(workspace.directory, 0o500);
    await workspace.capture(signal);
    expect((await workspace.changes()).map(({ path }) => path)).toEqual([
      'everything',
      'f\ufffd\ufffd',
      'loop',
      'nested/git~1',
    ]);
    expect(await workspace.release('passed')).toEqual({
      warnings: [
        '2 paths of the workspace left out of the copy for grading (links that lead outside, special files, and what cannot be read): "everything", "pipe"',
      ],
    });
    await workspaces[Symbol.asyncDispose]();
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('an agent that replaces its directory by a link reaches nothing outside', async () => {
    const { prepare, write, template, folder } = scene();
    write('template/tests/a.txt', 'a\n');
    write('outside/tests/a.txt', 'precious\n');
    const workspace = await prepare({ template, restore: ['tests/**'] });
    fs.rmSync(workspace.directory, { recursive: true });
    fs.symlinkSync(join(folder, 'outside'), workspace.directory);
    expect(await changesOf(workspace)).toEqual([['tests/a.txt', 'deleted']]);
    expect(fs.readFileSync(join(gradedIn(workspace), 'tests/a.txt'), 'utf8')).toBe('a\n');
    await workspace.release('passed');
    expect(contentOf(join(folder, 'outside'))).toEqual({ '/tests/a.txt': 'precious\n' });
  });

  test('a file that is too large is reported and not read', async () => {
    const { prepare, write, template } = scene({ isRead: () => false });
    write('template/kept.bin', '');
    write('template/edited.bin', '');
    for (const name of ['kept', 'edited']) fs.truncateSync(join(template, `${name}.bin`), 2 ** 27);
    const workspace = await prepare({ template });
    fs.writeFileSync(join(workspace.directory, 'small.txt'), 'a\n');
    fs.writeFileSync(join(workspace.directory, 'sparse.bin'), '');
    fs.truncateSync(join(workspace.directory, 'sparse.bin'), 2 ** 32);
    fs.appendFileSync(join(workspace.directory, 'edited.bin'), 'x');
    await workspace.capture(signal);
    const changes = await workspace.changes();
    expect(changes.map(({ diff, ...change }) => [change, diff !== undefined])).toEqual([
      [{ path: 'edited.bin', change: 'edited', omitted: 'too-large' }, false],
      [{ path: 'small.txt', change: 'created' }, true],
      [{ path: 'sparse.bin', change: 'created', omitted: 'too-large' }, false],
    ]);
    expect(await workspace.release('passed')).toEqual({
      warnings: [
        'changed files of the workspace that were not read because they are larger than 64 MB: "edited.bin", "sparse.bin"',
      ],
    });
    expect(fs.existsSync(workspace.directory)).toBe(false);
  });

  test('content below a path that is too long is unknown, and is removed with the workspace', async () => {
    const { prepare, write, template } = scene();
    write('template/a.txt', 'a');
    const workspace = await prepare({ template });
    makeDeepTree(workspace.directory, 250);
    await workspace.capture(signal);
    const unread = (await workspace.changes()).filter(({ omitted }) => omitted === 'unreadable');
    expect(unread.map(({ change }) => change)).toEqual(Array<string>(unread.length).fill('created'));
    expect(unread.length).toBeGreaterThan(0);
    const { warnings } = await workspace.release('passed');
    expect(warnings).toEqual([
      expect.stringMatching('^paths of the workspace that could not be read: "ddd'),
      expect.stringMatching('^1 path of the workspace left out of the copy for grading'),
    ]);
    expect(fs.existsSync(workspace.directory)).toBe(false);
  });

  test('a protected file that is too large to be read cannot be put back', async () => {
    const { prepare, write, template } = scene();
    write('template/tests/data.bin', '');
    fs.truncateSync(join(template, 'tests/data.bin'), 2 ** 27);
    const workspace = await prepare({ template, restore: ['tests/**'] });
    fs.appendFileSync(join(workspace.directory, 'tests/data.bin'), 'x');
    await expect(workspace.capture(signal)).rejects.toMatchObject({
      message: 'tests/data.bin was changed and cannot be restored: it is larger than 64 MB',
      kind: 'tampered',
      detail: 'too-large',
    });
    await workspace.release('errored');
  });

  test('are not known before they are captured', async () => {
    const { prepare } = scene();
    const workspace = await prepare({});
    await expect(workspace.changes()).rejects.toThrow(
      'the changes of a workspace are only known after they are captured',
    );
  });

  test('capturing the changes of an abandoned attempt throws its reason', async () => {
    const { prepare } = scene();
    const workspace = await prepare({});
    await expect(workspace.capture(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('the copy that graders read', () => {
  test('is not the directory of the agent, and is kept in its place', async () => {
    const { prepare, root, workspaces } = scene();
    const workspace = await prepare({ keep: 'always' });
    const at = (path: string) => join(workspace.directory, path);
    fs.writeFileSync(at('answer'), 'left\n');
    await workspace.capture(signal);
    expect(gradedIn(workspace)).not.toBe(workspace.directory);
    fs.writeFileSync(at('answer'), 'written by a process that assay did not find\n');
    expect(contentOf(gradedIn(workspace))).toEqual({ '/answer': 'left\n' });
    const { keptAt = '' } = await workspace.release('passed');
    expect(contentOf(keptAt)).toEqual({ '/answer': 'left\n' });
    await workspaces[Symbol.asyncDispose]();
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test('has the links to other places that the template had, and no others', async () => {
    const { prepare, write, template, folder } = scene();
    const [shared, secret] = [write('shared', 'shared\n'), write('secret', 'secret\n')];
    write('template/a', '');
    fs.symlinkSync(shared, join(template, 'theirs'));
    fs.symlinkSync(shared, join(template, 'changed'));
    const workspace = await prepare({ template });
    const at = (path: string) => join(workspace.directory, path);
    fs.rmSync(at('changed'));
    fs.symlinkSync(secret, at('changed'));
    fs.symlinkSync(shared, at('new'));
    await workspace.capture(signal);
    expect(fs.readdirSync(gradedIn(workspace)).toSorted()).toEqual(['a', 'theirs']);
    expect((await workspace.release('passed')).warnings).toEqual([
      '2 paths of the workspace left out of the copy for grading (links that lead outside, special files, and what cannot be read): "changed", "new"',
    ]);
    expect(fs.readFileSync(join(folder, 'secret'), 'utf8')).toBe('secret\n');
  });

  test('is not made when no grader reads files', async () => {
    const { prepare } = scene({ isRead: () => false });
    const workspace = await prepare({});
    await workspace.capture(signal);
    expect(gradedIn(workspace)).toBe(workspace.directory);
    await workspace.release('passed');
  });

  test('is refused when the files are too large, and nothing of it stays', async () => {
    const { prepare, root, workspaces } = scene();
    const workspace = await prepare({ keep: 'never' });
    fs.writeFileSync(join(workspace.directory, 'sparse'), '');
    fs.truncateSync(join(workspace.directory, 'sparse'), 10 * 2 ** 30);
    await expect(workspace.capture(signal)).rejects.toMatchObject({
      kind: 'sandbox',
      message: 'the workspace cannot be copied for grading: the workspace has more than 2048 MB of files',
    });
    await workspace.release('errored');
    await workspaces[Symbol.asyncDispose]();
    expect(fs.readdirSync(root)).toEqual([]);
  });
});

describe('restoring', () => {
  test('writes through no link and gives back kind and permissions', async () => {
    const { prepare, write, template, folder } = scene();
    write('template/tests/a.sh', 'a\n');
    fs.chmodSync(join(template, 'tests/a.sh'), 0o640);
    write('template/tests/deep/b.txt', 'b\n');
    write('template/tests/c.txt', 'c\n');
    fs.symlinkSync('a.sh', join(template, 'tests/link'));
    write('outside/b.txt', 'precious b\n');
    const precious = write('outside/c.txt', 'precious c\n');
    const workspace = await prepare({ template, restore: ['tests'] });
    const at = (path: string) => join(workspace.directory, path);
    fs.chmodSync(at('tests/a.sh'), 0o777);
    fs.rmSync(at('tests/deep'), { recursive: true });
    fs.symlinkSync(join(folder, 'outside'), at('tests/deep'));
    fs.rmSync(at('tests/c.txt'));
    fs.linkSync(precious, at('tests/c.txt'));
    fs.rmSync(at('tests/link'));
    fs.mkdirSync(at('tests/link'));
    fs.writeFileSync(at('tests/link/x'), 'x');
    execFileSync('mkfifo', [at('tests/pipe')]);
    await workspace.capture(signal);
    const graded = (path: string) => join(gradedIn(workspace), path);
    expect(contentOf(graded('tests'))).toEqual({ '/a.sh': 'a\n', '/deep/b.txt': 'b\n', '/c.txt': 'c\n' });
    expect(fs.statSync(graded('tests/a.sh')).mode & 0o777).toBe(0o640);
    expect(fs.readlinkSync(graded('tests/link'))).toBe('a.sh');
    expect(fs.existsSync(graded('tests/pipe'))).toBe(false);
    expect(contentOf(join(folder, 'outside'))).toEqual({
      '/b.txt': 'precious b\n',
      '/c.txt': 'precious c\n',
    });
  });

  test('warns of globs that fit nothing the agent was given', async () => {
    const { prepare, write, template } = scene();
    write('template/tests/a.sh', 'a\n');
    const workspace = await prepare({ template, restore: ['tests/**', 'test/**'] });
    fs.mkdirSync(join(workspace.directory, 'test'));
    fs.writeFileSync(join(workspace.directory, 'test/own.sh'), 'b\n');
    await workspace.capture(signal);
    expect((await workspace.release('passed')).warnings).toEqual([
      '`restore`: no file of the initial workspace matches test/**',
    ]);
  });

  test('restores the initial files, even if the template was edited during the trial', async () => {
    const { prepare, write, template } = scene();
    write('template/tests/a.txt', 'a\n');
    const setup = { script: ['sh', '-c', 'echo made > "$ASSAY_WORKSPACE/tests/made.txt"'] };
    const workspace = await prepare({ template, setup, restore: ['./tests/'] });
    write('template/tests/a.txt', 'edited outside\n');
    fs.rmSync(join(workspace.directory, 'tests'), { recursive: true });
    await workspace.capture(signal);
    expect(contentOf(join(gradedIn(workspace), 'tests'))).toEqual({ '/a.txt': 'a\n', '/made.txt': 'made\n' });
  });
});

describe('keeping', () => {
  test('never changes files that were kept before', async () => {
    const { prepare, folder } = scene();
    const ends: unknown[] = [];
    for (const content of ['one', 'two']) {
      const workspace = await prepare({});
      fs.writeFileSync(join(workspace.directory, 'a'), content);
      ends.push(await workspace.release('failed'));
    }
    const kept = join(folder, 'kept/1-attempt-1');
    expect(ends).toEqual([
      { keptAt: kept, warnings: [] },
      { keptAt: `${kept}-2`, warnings: [] },
    ]);
    expect([kept, `${kept}-2`].map((path) => fs.readFileSync(join(path, 'a'), 'utf8'))).toEqual([
      'one',
      'two',
    ]);
  });

  test('that is not possible leaves the directory and names it', async () => {
    const { prepare, folder, write } = scene({ keptDirectory: () => join(folderOf(), 'file/kept') });
    const folderOf = () => folder;
    write('file', '');
    const workspace = await prepare({});
    const { keptAt, warnings } = await workspace.release('failed');
    expect(keptAt).toBe(workspace.directory);
    expect(warnings[0]).toContain(`stays at ${workspace.directory}`);
  });
});

describe('folders that a target brings', () => {
  const staged = (source: string, to = '.claude/skills/demo') => ({ stagedFor: () => [{ source, to }] });

  test('exist when the agent starts, and do not count as its changes', async () => {
    const { write, folder } = scene();
    write('skill/SKILL.md', 'a skill');
    const { prepare, template, write: writeBeside } = scene(staged(join(folder, 'skill')));
    writeBeside('template/a.txt', 'a');
    const workspace = await prepare({ template });
    expect(fs.readFileSync(join(workspace.directory, '.claude/skills/demo/SKILL.md'), 'utf8')).toBe(
      'a skill',
    );
    fs.writeFileSync(join(workspace.directory, 'b.txt'), 'b');
    expect(await changesOf(workspace)).toEqual([['b.txt', 'created']]);
    await workspace.release('passed');
  });

  test.each([
    [
      'where something is already',
      (template: string) => fs.mkdirSync(join(template, '.claude/skills/demo'), { recursive: true }),
      /the workspace already contains this path/,
    ],
    [
      'where a link leads out',
      (template: string) => fs.symlinkSync(tmpdir(), join(template, '.claude')),
      /a link points outside the workspace/,
    ],
  ])('are an error %s', async (_where, spoil, message) => {
    const { folder, write } = scene();
    write('skill/SKILL.md', 'a skill');
    const { prepare, template, root, workspaces } = scene(staged(join(folder, 'skill')));
    fs.mkdirSync(template);
    spoil(template);
    await expect(prepare({ template })).rejects.toMatchObject({
      stage: 'workspace',
      kind: 'workspace-template',
      detail: 'staged-folder',
      message: expect.stringMatching(message),
    });
    await workspaces[Symbol.asyncDispose]();
    await workspaces[Symbol.asyncDispose]();
    expect(fs.readdirSync(root)).toEqual([]);
  });
});
