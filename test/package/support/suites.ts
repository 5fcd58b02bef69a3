import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { rowOf, rowsOf, type Files, type Project } from '../../e2e/support/project.ts';
import { claudeTurn } from '../../support/claude-lines.ts';
import { fakeEnv, recordingOf, type FakePlan } from '../../support/fake-agent.ts';
import { packedProject } from './packed-project.ts';

/** An agent that replays what a true one has printed, and says in the end that it wrote a file. */
export const REPLAY: FakePlan = {
  version: '2.1.197 (Claude Code)',
  recording: recordingOf('claude-code', '2.1.197/tool-loop'),
};

export const DONE = claudeTurn({ answer: 'done' });

export const PASSES = 'assert() {}';
export const FAILS = `assert() { assert.fail('x'); }`;
/** What must not be called. */
export const NEVER = `assert() { throw new Error('called'); }`;

export const ISOLATED = `export const workspace = { mode: 'isolated' };`;

/** A suite of these cases, each its keys after `id` and `prompt`, which is the id; `more` stands before them. */
export function suite(cases: Readonly<Record<string, string>>, more = ''): string {
  const texts = Object.entries(cases).map(
    ([id, keys]) => `{ id: ${JSON.stringify(id)}, prompt: ${JSON.stringify(id)}, ${keys} }`,
  );
  return `import { assert, commandMatcher, grade } from 'assay';\n${more}\nexport default [${texts.join(',\n')}];\n`;
}

interface Setting {
  /** Targets by their ids; without: one agent that replays a recording. */
  readonly plans?: (path: Project['path']) => Readonly<Record<string, FakePlan>>;
  /** Keys of every target. */
  readonly target?: object;
  readonly run?: object;
  readonly files: Files;
}

/** A project whose targets are fake agents. */
export function played({
  plans = () => ({ agent: REPLAY }),
  target = {},
  run = {},
  files,
}: Setting): Project {
  const project = packedProject(files);
  const targets = Object.entries(plans(project.path)).map(([id, plan]) => {
    const env = { ...fakeEnv(plan), TOLD: project.directory };
    return [id, { type: 'claude-code', model: 'm', ...target, env }];
  });
  project.write({ 'assay.config.json': { targets: Object.fromEntries(targets), run } });
  return project;
}

/** What the only trial of a case came to. */
export function seen(run: string, caseId: string): unknown {
  const { verdict, status, attempts, failureClass, error } = rowOf(run, caseId);
  return { verdict, status, attempts: attempts.length, class: failureClass?.id, kind: error?.kind };
}

export function errorOf(run: string, caseId: string): Readonly<Record<string, unknown>> {
  return jsonIn(run, rowOf(run, caseId).artifactDir ?? '', 'error.json');
}

export function jsonIn(...parts: string[]): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(...parts), 'utf8')) as Record<string, unknown>;
}

/** Messages of what did not pass. */
export function reasonsIn(run: string): readonly string[] {
  return rowsOf(run).flatMap(({ verdict, error, grades }) =>
    verdict === 'passed' ? [] : [error?.message ?? grades.find(({ passed }) => !passed)?.reason ?? ''],
  );
}
