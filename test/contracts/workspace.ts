import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { World } from '../../src/core/target.ts';
import type { TestCase, WorkspacePlan } from '../../src/core/test-case.ts';
import type { Workspaces } from '../../src/core/workspace.ts';

/** What an implementation is tried in. */
export interface WorkspaceTrial {
  readonly workspaces: Workspaces;
  /** An empty folder, outside of every workspace, for templates and traces. */
  readonly folder: string;
}

/** What every kind of workspace that is prepared for an attempt keeps to. */
export function workspaceContract(name: string, open: () => Promise<WorkspaceTrial>): void {
  const signal = new AbortController().signal;

  const prepared = async ({ workspaces, folder }: WorkspaceTrial, plan: WorkspacePlan, attempt = 1) => {
    const workspace = await workspaces.prepare(
      testCaseIn(folder, plan),
      attemptOf(folder, { attempt }),
      signal,
    );
    if (workspace === undefined) throw new Error('there is no workspace');
    return workspace;
  };

  const templateIn = (folder: string, files: Readonly<Record<string, string>>): string => {
    const template = join(folder, 'template');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(template, path, '..'), { recursive: true });
      writeFileSync(join(template, path), content);
    }
    return template;
  };

  /** A script that adds a line with `word` to the trace. */
  const tracing = (folder: string, word: string, code = 0) => ({
    script: [
      'sh',
      '-c',
      `echo ${word} >> "$0"; echo "${word} says" >&2; exit ${code}`,
      join(folder, 'trace'),
    ],
  });

  const traceIn = (folder: string): string[] => {
    const file = join(folder, 'trace');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  };

  describe(`${name}, as a workspace`, () => {
    test('a case without a plan has none where the target needs none', async () => {
      const { workspaces, folder } = await open();
      const { workspace: _, ...testCase } = testCaseIn(folder, {});
      expect(await workspaces.prepare(testCase, attemptOf(folder), signal)).toBeUndefined();
    });

    test('starts with the files of the template, and reports what became of them', async () => {
      const trial = await open();
      const template = templateIn(trial.folder, {
        'keep.txt': 'a\n',
        '.env': 'X=1\n',
        'src/old.txt': 'old\n',
      });
      const workspace = await prepared(trial, { template });
      expect(readFileSync(join(workspace.directory, '.env'), 'utf8')).toBe('X=1\n');
      writeFileSync(join(workspace.directory, '.env'), 'X=2\n');
      writeFileSync(join(workspace.directory, 'src/new.txt'), 'new\n');
      rmSync(join(workspace.directory, 'src/old.txt'));
      await workspace.capture(signal);
      const changes = await workspace.changes();
      expect(changes.map(({ path, change }) => [path, change])).toEqual([
        ['.env', 'edited'],
        ['src/new.txt', 'created'],
        ['src/old.txt', 'deleted'],
      ]);
      expect(changes.map(({ diff }) => diff?.slice(diff.indexOf('@@')))).toEqual([
        '@@ -1 +1 @@\n-X=1\n+X=2\n',
        '@@ -0,0 +1 @@\n+new\n',
        '@@ -1 +0,0 @@\n-old\n',
      ]);
      expect(await workspace.release('passed')).toEqual({ warnings: [] });
      expect(readFileSync(join(template, '.env'), 'utf8')).toBe('X=1\n');
    });

    test('what setup makes is no change of the agent', async () => {
      const trial = await open();
      const template = templateIn(trial.folder, { 'a.txt': 'a\n' });
      const setup = { script: ['sh', '-c', 'cd "$ASSAY_WORKSPACE" && echo b > b.txt && echo A > a.txt'] };
      const workspace = await prepared(trial, { template, setup });
      await workspace.capture(signal);
      expect(await workspace.changes()).toEqual([]);
      await workspace.release('passed');
    });

    test('an unchanged workspace has no changes, however often it is asked', async () => {
      const trial = await open();
      const workspace = await prepared(trial, { template: templateIn(trial.folder, { 'a.txt': 'a\n' }) });
      await workspace.capture(signal);
      expect([await workspace.changes(), await workspace.changes()]).toEqual([[], []]);
      await workspace.release('passed');
    });

    test('changes are those of the moment at which they are captured', async () => {
      const trial = await open();
      const workspace = await prepared(trial, { template: templateIn(trial.folder, { 'a.txt': 'a\n' }) });
      writeFileSync(join(workspace.directory, 'a.txt'), 'by the agent\n');
      await workspace.capture(signal);
      writeFileSync(join(workspace.directory, 'a.txt'), 'by a grader\n');
      expect((await workspace.changes())[0]?.diff).toContain('+by the agent\n');
      await workspace.release('passed');
    });

    test('setup comes first and teardown last, whatever the verdict', async () => {
      for (const verdict of ['passed', 'failed', 'errored', 'cancelled'] as const) {
        const trial = await open();
        const plan = { setup: tracing(trial.folder, 'setup'), teardown: tracing(trial.folder, 'teardown') };
        const workspace = await prepared(trial, plan);
        expect(traceIn(trial.folder)).toEqual(['setup']);
        await workspace.release(verdict);
        expect([verdict, ...traceIn(trial.folder)]).toEqual([verdict, 'setup', 'teardown']);
      }
    });

    test('a setup that fails ends in an error with its stderr, after teardown', async () => {
      const trial = await open();
      const plan = { setup: tracing(trial.folder, 'setup', 3), teardown: tracing(trial.folder, 'teardown') };
      await expect(prepared(trial, plan)).rejects.toMatchObject({
        kind: 'workspace-setup',
        stage: 'workspace',
        transient: false,
        message: expect.stringMatching(/exited with code 3.*setup says/s),
      });
      expect(traceIn(trial.folder)).toEqual(['setup', 'teardown']);
    });

    test('a teardown that fails is a warning', async () => {
      const trial = await open();
      const workspace = await prepared(trial, { teardown: tracing(trial.folder, 'teardown', 4) });
      const { warnings } = await workspace.release('passed');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(
        /^the teardown script .* exited with code 4; its stderr ends: teardown says$/s,
      );
    });

    test('is kept by its rule, and says where', async () => {
      const kept: string[] = [];
      for (const keep of [undefined, 'always', 'never', 'on-failure'] as const) {
        for (const verdict of ['passed', 'failed', 'errored', 'cancelled'] as const) {
          const trial = await open();
          const workspace = await prepared(trial, keep === undefined ? {} : { keep });
          writeFileSync(join(workspace.directory, 'a.txt'), 'a');
          const { keptAt } = await workspace.release(verdict);
          if (keptAt !== undefined && statSync(join(keptAt, 'a.txt')).isFile())
            kept.push(`${keep} ${verdict}`);
        }
      }
      expect(kept).toEqual([
        'undefined failed',
        'undefined errored',
        'always passed',
        'always failed',
        'always errored',
        'always cancelled',
        'on-failure failed',
        'on-failure errored',
      ]);
    });

    test('a template that is not there is an error that names it', async () => {
      const trial = await open();
      const template = join(trial.folder, 'nowhere');
      await expect(prepared(trial, { template })).rejects.toMatchObject({
        kind: 'workspace-template',
        stage: 'workspace',
        message: expect.stringContaining(template),
      });
    });

    test('protected files are put back for graders, and still reported as changed', async () => {
      const trial = await open();
      const template = templateIn(trial.folder, {
        'tests/a.txt': 'a\n',
        'tests/b.txt': 'b\n',
        'c.txt': 'c\n',
      });
      const workspace = await prepared(trial, { template, restore: ['tests/**'] });
      const at = (path: string) => join(workspace.directory, path);
      writeFileSync(at('tests/a.txt'), 'always pass\n');
      rmSync(at('tests/b.txt'));
      writeFileSync(at('tests/added.txt'), 'x\n');
      writeFileSync(at('c.txt'), 'C\n');
      await workspace.capture(signal);
      const graded = (path: string) => join(workspace.gradedDirectory?.() ?? workspace.directory, path);
      const state = ['tests/a.txt', 'tests/b.txt', 'tests/added.txt', 'c.txt'].map((path) =>
        existsSync(graded(path)) ? readFileSync(graded(path), 'utf8') : 'absent',
      );
      expect(state).toEqual(['a\n', 'b\n', 'absent', 'C\n']);
      expect((await workspace.changes()).map(({ path }) => path)).toEqual([
        'c.txt',
        'tests/a.txt',
        'tests/added.txt',
        'tests/b.txt',
      ]);
      await workspace.release('passed');
    });
  });
}

/** A case in a folder, with a workspace. */
export function testCaseIn(directory: string, workspace: WorkspacePlan): TestCase {
  return {
    id: 'case',
    directory,
    tags: [],
    input: [{ role: 'user', parts: [{ text: 'do it' }] }],
    expectations: [],
    workspace,
  };
}

/** An attempt whose artifacts stand in a folder. */
export function attemptOf(
  folder: string,
  trial: Partial<World['trial']> = {},
): Pick<World, 'trial' | 'marker' | 'artifacts'> {
  const artifacts = join(folder, 'artifacts');
  const directory = () => {
    mkdirSync(artifacts, { recursive: true });
    return artifacts;
  };
  return {
    trial: {
      runId: 'run',
      key: 'suite/case/target/r1',
      attempt: 1,
      suite: 'suite',
      caseId: 'case',
      target: 'target',
      repetition: 1,
      seed: 1,
      ...trial,
    },
    marker: `${process.pid}-${++attempts}`,
    artifacts: {
      directory,
      scratch: directory,
      write: async (name, content) => writeFileSync(join(artifacts, name), content),
      stream: () => ({ write: () => {}, end: () => {} }),
    },
  };
}

let attempts = 0;
