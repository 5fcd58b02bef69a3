import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { services, subjectOf } from '../subject.fixture.ts';
import { command } from './command.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

interface Sketch {
  /** Files of the workspace, by path. */
  readonly left?: Readonly<Record<string, string>>;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Links of the workspace, by path. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Grades a workspace with these files. */
async function graded(config: object, { left = {}, hidden = {}, links = {} }: Sketch = {}) {
  const root = folderOfTest('command-');
  const [workspace, project] = [join(root, 'workspace'), join(root, 'project')];
  const write = (folder: string, files: Readonly<Record<string, string>>): void => {
    mkdirSync(folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write(workspace, left);
  write(join(project, 'hidden'), hidden);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(workspace, path));
  const environment = { PATH: process.env['PATH'] ?? '', SECRET: 'of the graders' };
  const grader = command.create(command.config.parse(config), {
    ...services,
    directory: project,
    environment,
  });
  const notes: string[] = [];
  const subject = {
    ...subjectOf({ workspace: { directory: workspace, changes: async () => [] } }),
    note: (text: string) => void notes.push(text),
  };
  const [finding] = await grader.grade(subject, new AbortController().signal);
  return { finding, notes, workspace, project };
}

const sh = (script: string) => ['sh', '-c', script];

test.each([
  ['0 passes', 'exit 0', 1],
  ['1 fails', 'exit 1', 0],
  ['1 fails, whatever is printed', 'echo "1 test PASSED"; exit 1', 0],
])('exit code %s', async (_, script, score) => {
  expect((await graded({ run: sh(script) })).finding).toMatchObject({ score });
});

test.each([
  [
    'another exit code',
    'echo broken >&2; exit 2',
    'the command ended with exit code 2; the end of its output:\nbroken',
  ],
  ['a signal', 'kill -9 $$', 'the command ended with the signal SIGKILL'],
])('%s decides nothing', async (_, script, message) => {
  await expect(graded({ run: sh(script) })).rejects.toThrow(message);
});

test.each([
  ['rewritten', 'echo true > tests/a.sh'],
  ['rewritten and put back', 'cp tests/a.sh kept; echo true > tests/a.sh; cp kept tests/a.sh'],
  ['replaced by a link', 'ln -sf /bin/true tests/a.sh'],
  ['moved away with its folder', 'mv tests elsewhere; mkdir tests'],
])('a hidden file that is %s while the command runs decides nothing', async (_, script) => {
  const hidden = { 'a.sh': 'false' };
  await expect(graded({ run: sh(script), files: './hidden', at: 'tests' }, { hidden })).rejects.toMatchObject(
    {
      kind: 'tampered',
      message: 'the hidden file tests/a.sh changed while the command ran',
    },
  );
});

test('files that the command makes beside hidden files do not matter', async () => {
  const config = { run: sh('mkdir tests/cache; sh tests/a.sh'), files: './hidden', at: 'tests' };
  const { finding } = await graded(config, { hidden: { 'a.sh': 'echo > tests/b' } });
  expect(finding).toMatchObject({ score: 1 });
});

test('a command that is too slow decides nothing', async () => {
  await expect(graded({ run: sh('sleep 60'), timeout_ms: 300 })).rejects.toThrow('timed out after 300 ms');
});

test('a missing program is named', async () => {
  await expect(graded({ run: ['no-such-program'] })).rejects.toThrow('no-such-program: program not found');
});

test('the command gets an empty home and nothing of other environments, and works on a copy', async () => {
  const script = 'ls -A "$HOME"; test -z "$SECRET" && test -z "$ASSAY_WORKSPACE" && echo changed > file';
  const { finding, workspace } = await graded({ run: sh(script) }, { left: { file: 'x' } });
  expect(finding).toMatchObject({ score: 1 });
  expect(readdirSync(workspace)).toEqual(['file']);
});

test('hidden files replace those of the agent, and others stay', async () => {
  const { finding } = await graded(
    {
      run: sh('test "$(cat tests/a.sh tests/b.sh tests/deep/c | tr "\\n" " ")" = "hidden theirs deep"'),
      files: './hidden',
      at: 'tests',
    },
    {
      left: { 'tests/a.sh': 'forged\n', 'tests/b.sh': 'theirs\n', 'tests/deep': 'a file in the way' },
      hidden: { 'a.sh': 'hidden\n', 'deep/c': 'deep' },
    },
  );
  expect(finding).toMatchObject({ score: 1 });
});

test('a link of the agent does not lead hidden files elsewhere', async () => {
  const { finding, workspace } = await graded(
    { run: sh('test -f tests/a && test ! -L tests'), files: './hidden', at: 'tests' },
    { left: { 'real/x': '' }, links: { tests: 'real' }, hidden: { a: 'hidden' } },
  );
  expect(finding).toMatchObject({ score: 1 });
  expect(readdirSync(join(workspace, 'real'))).toEqual(['x']);
});

test('what leads out of the workspace is left out, and noted', async () => {
  const { finding, notes } = await graded({ run: sh('test ! -e out') }, { links: { out: '/etc/passwd' } });
  expect(finding).toMatchObject({ score: 1 });
  expect(notes).toEqual([
    '1 path of the workspace left out of the copy for grading (links that lead outside, special files, and what cannot be read): "out"',
  ]);
});

const REPORT = `<?xml version="1.0"?><testsuites><testsuite name="s">
<!-- <testcase name="commented"/> -->
<testcase classname="a.test.js" name="adds &lt;two&gt;" time="0.1"/>
<testcase classname="a.test.js" name="fails"><failure message="x"><![CDATA[</testcase><testcase name="forged"/>]]></failure></testcase>
<testcase classname="a.test.js" name="waits"><skipped/></testcase>
</testsuite></testsuites>`;

test('the score of a report is the share of expected tests that passed', async () => {
  const { finding } = await graded(
    {
      run: sh('cat hidden.xml > out.xml; exit 1'),
      files: './hidden',
      result: 'junit',
      report: 'out.xml',
      expect_tests: ['adds <two>', 'a.test.js fails', 'waits', 'forged', 'commented'],
    },
    { hidden: { 'hidden.xml': REPORT } },
  );
  expect(finding).toMatchObject({
    score: 0.2,
    reason: '1 of 5 tests passed',
    evidence: [
      { text: 'adds <two>: passed', passed: true },
      { text: 'a.test.js fails: failed', passed: false },
      { text: 'waits: failed', passed: false },
      { text: 'forged: missing', passed: false },
      { text: 'commented: missing', passed: false },
    ],
  });
});

test('a report that the agent left does not count', async () => {
  const { finding } = await graded(
    { run: sh('exit 0'), result: 'junit', report: 'out.xml', expect_tests: ['adds <two>'] },
    { left: { 'out.xml': REPORT } },
  );
  expect(finding).toMatchObject({ score: 0, reason: '0 of 1 test passed; the command wrote no out.xml' });
});

test('without expected tests, a report without tests decides nothing', async () => {
  await expect(graded({ run: sh('exit 0'), result: 'junit', report: 'out.xml' })).rejects.toThrow(
    'the command ended with exit code 0 and wrote no tests to out.xml',
  );
});

test('a trial without a workspace decides nothing', async () => {
  const grader = command.create(command.config.parse({ run: ['true'] }), services);
  await expect(grader.grade(subjectOf(), new AbortController().signal)).rejects.toThrow('has no workspace');
});

test.each([
  ['junit without a report', { run: ['x'], result: 'junit' }],
  ['a report with exit', { run: ['x'], report: 'a.xml' }],
  ['expected tests with exit', { run: ['x'], expect_tests: ['a'] }],
  ['a place outside', { run: ['x'], files: './f', at: '../x' }],
  ['an absolute report', { run: ['x'], result: 'junit', report: '/tmp/a.xml' }],
  ['no program', { run: [] }],
  ['tests of an oracle without one', { run: ['x'], result: 'junit', report: 'a', expect_tests: 'oracle' }],
])('%s is a mistake', (_, config) => {
  expect(command.config.safeParse(config).success).toBe(false);
});
