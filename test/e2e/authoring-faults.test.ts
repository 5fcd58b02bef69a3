import { existsSync, mkdirSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowsOf, type Files, type Project } from './support/project.ts';

const CONFIG = 'targets:\n  agent: { type: cli, command: [sh, ./agent.sh] }\n';
const AGENT = 'touch started; echo the answer\n';
const CASE = 'tests:\n  - id: a\n    input: x\n';
const assert = (evaluator: string) => `${CASE}    assert:\n      - ${evaluator}\n`;
const GOOD = assert('{ type: contains, value: the answer }');

interface Fault {
  readonly content: string | Uint8Array;
  /** `line:column  code  message`, without the file. */
  readonly problems: readonly string[];
}

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
for (const [index, name] of [...'bcdefghi'].entries()) {
  const before = 'abcdefgh'[index];
  bomb.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`);
}

const faults: Readonly<Record<string, Fault>> = {
  'unknown-key.yaml': {
    content: `${CASE}    asert:\n      - { type: contains, value: x }\n`,
    problems: [':4:5  unknown-key  unknown key `asert`  (did you mean `assert`?)'],
  },
  'unknown-key-of-an-evaluator.yaml': {
    content: assert('{ type: contains, valeu: x }'),
    problems: [
      ':5:9  missing-key  `value` is missing',
      ':5:27  unknown-key  unknown key `valeu`  (did you mean `value`?)',
    ],
  },
  'wrong-type.yaml': {
    content: `${GOOD}repeat: often\n`,
    problems: [':6:9  wrong-type  repeat: expected a number, got "often"'],
  },
  'duplicate-id.yaml': {
    content: `${GOOD}  - id: a\n    input: y\n    assert: [{ type: contains, value: y }]\n`,
    problems: [':6:9  duplicate-id  duplicate id "a": it is also used by the test at FILE:2'],
  },
  'duplicate-key.yaml': {
    content: `${CASE}    input: y\n    assert: [{ type: contains, value: y }]\n`,
    problems: [':4:5  duplicate-key  duplicate key  (remove one of the two)'],
  },
  'tabs.yaml': {
    content: 'tests:\n  - id: a\n\t  input: x\n',
    problems: [':3:1  yaml-syntax  Tabs are not allowed as indentation  (indent with spaces)'],
  },
  'unknown-evaluator.yaml': {
    content: assert('{ type: contians, value: x }'),
    problems: [':5:17  unknown-grader  unknown evaluator type "contians"  (did you mean `contains`?)'],
  },
  'bad-regex.yaml': {
    content: assert('{ type: regex, value: "a(b" }'),
    problems: [':5:31  invalid-value  value: invalid regular expression: /a(b/: Unterminated group'],
  },
  'required.yaml': {
    content: assert('{ type: contains, value: x, required: 1.5 }'),
    problems: [':5:47  invalid-value  required: must be at most 1'],
  },
  'missing-file.yaml': {
    content: assert('{ type: is_json, schema: ./nowhere.json }'),
    problems: [':5:34  missing-file  file not found: ./nowhere.json  (write a path relative to this file)'],
  },
  'missing-template.yaml': {
    content: `${GOOD}workspace:\n  template: ./nowhere\n`,
    problems: [':7:13  missing-folder  folder not found: ./nowhere  (write a path relative to this file)'],
  },
  'glob.yaml': {
    content: 'tests:\n  - file://cases/*.yaml\n',
    problems: [':2:5  no-match  no file matches file://cases/*.yaml  (write a path relative to this file)'],
  },
  'unknown-target.yaml': {
    content: `${GOOD}    execution: { target: agnet }\n`,
    problems: [':6:26  unknown-target  unknown target "agnet"  (did you mean `agent`?)'],
  },
  'bomb.yaml': {
    content: `${bomb.map((line) => `x-${line}\n`).join('')}${GOOD}    metadata: { all: *i }\n`,
    problems: [
      '  alias-bomb  the file has more than 10,000,000 values after its YAML aliases are expanded  (use fewer aliases, or split the file)',
    ],
  },
  'empty.yaml': { content: '', problems: ['  empty-file  the file is empty  (a suite needs `tests`)'] },
  'binary.yaml': {
    content: Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256),
    problems: ['  binary-file  the file is not text: it contains NUL bytes  (save it as UTF-8 text)'],
  },
  'cut.jsonl': {
    content: '{"id": "a", "input": "x", "assert": [{"type": "contains", "value": "x"}]}\n{"id": "b", "inp',
    problems: [':2:17  json-syntax  the line ends in the middle of a JSON value'],
  },
  'deep.jsonl': {
    content: `{"id": "a", "input": ${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`,
    problems: [':1:521  too-deep  lists and mappings are nested more than 500 levels deep'],
  },
  'several.yaml': {
    content: `${GOOD}    threshold: 8\n    tags: smoke\n    expected_fial: true\n`,
    problems: [
      ':6:16  invalid-value  threshold: must be at most 1',
      ':7:11  wrong-type  tags: expected a list, got "smoke"  (for a list with one entry, write ["smoke"])',
      ':8:5  unknown-key  unknown key `expected_fial`  (did you mean `expected_fail`?)',
    ],
  },
};

const FOLDER = 'evals/a-folder.eval.yaml';
const names = Object.keys(faults);
const fileOf = (name: string) => `evals/${name.replace(/\.(\w+)$/, '.eval.$1')}`;
const written: Files = Object.fromEntries(names.map((name) => [fileOf(name), faults[name]?.content]));

describe('bad eval files', () => {
  let project: Project;
  let validated: Ended;
  let ran: Ended;

  beforeAll(async () => {
    project = openProject({
      'assay.config.yaml': CONFIG,
      'agent.sh': AGENT,
      'evals/good.eval.yaml': GOOD,
      ...written,
    });
    mkdirSync(project.path(FOLDER));
    const args = [
      FOLDER,
      ...names.map(fileOf),
      'evals/good.eval.yaml',
      'nowhere.eval.yaml',
      'none/*.eval.yaml',
    ];
    [validated, ran] = await Promise.all([project.assay('validate', ...args), project.assay('run', ...args)]);
  });
  afterAll(() => project[Symbol.asyncDispose]());

  test.each(names)('%s is told with line, column and a suggestion', (name) => {
    const file = fileOf(name);
    const lines = ran.stderr.split('\n').filter((line) => line.startsWith(file));
    expect(lines).toEqual(faults[name]?.problems.map((told) => file + told.replace('FILE', file)));
  });

  test('a folder, a missing file and a pattern that matches nothing are told too', () => {
    const lines = ran.stderr.split('\n').filter((line) => /^(evals\/a-folder|nowhere|none)/.test(line));
    expect(lines).toEqual([
      `${FOLDER}  no-match  no eval files found in ${FOLDER}  (create one with \`assay init\`; eval files are named *.eval.yaml or *.eval.jsonl, code suites *.suite.ts, .mts, .js or .mjs; run other files by their path)`,
      'nowhere.eval.yaml  missing-file  file or folder not found  (correct the path; it is relative to the folder where you run assay)',
      'none/*.eval.yaml  no-match  no suite matches this pattern',
    ]);
  });

  test('all problems of all files come at once, with exit 2, and nothing is run', () => {
    const count = Object.values(faults).reduce((sum, { problems }) => sum + problems.length, 3);
    expect({ code: ran.code, stdout: ran.stdout, last: ran.stderr.trim().split('\n').at(-1) }).toEqual({
      code: 2,
      stdout: '',
      last: `assay: ${count} problems found; nothing was run`,
    });
    expect(project.runs()).toEqual([]);
    expect(existsSync(project.path('started'))).toBe(false);
  });

  test.each([
    [
      'what was written',
      ['run', 'evals/several.eval.yaml'],
      {
        exitCode: 2,
        error: { code: 'authoring', message: '3 problems found; nothing was run' },
        problems: [
          {
            ...problem(6, 16, 'invalid-value', 'threshold: must be at most 1'),
            path: ['tests', 0, 'threshold'],
          },
          expect.objectContaining({ code: 'wrong-type' }),
          expect.objectContaining({ code: 'unknown-key' }),
        ],
      },
    ],
    [
      'a run that is not there',
      ['show', 'nowhere'],
      {
        exitCode: 2,
        error: {
          code: 'run-not-found',
          message: expect.any(String) as string,
          hint: expect.any(String) as string,
        },
      },
    ],
    [
      'a flag that nobody knows',
      ['run', '--nosuch'],
      { exitCode: 2, error: { code: 'usage', message: "error: unknown option '--nosuch'" } },
    ],
  ])('--json is one document too where nothing could run: %s', async (_, args, document) => {
    const [plain, json] = await Promise.all([project.assay(...args), project.assay(...args, '--json')]);
    expect({ code: json.code, stderr: json.stderr, stdout: JSON.parse(json.stdout) as unknown }).toEqual({
      code: 2,
      stderr: plain.stderr,
      stdout: document,
    });
  });

  test('validate tells the same, and validate --json too', async () => {
    expect({ code: validated.code, stderr: validated.stderr, stdout: validated.stdout }).toEqual({
      code: 2,
      stderr: '',
      stdout: ran.stderr.replace(/^assay: (?=\d+ problems)/m, ''),
    });
    const json = await project.assay('validate', '--json', 'evals/several.eval.yaml');
    expect({
      code: json.code,
      problems: (JSON.parse(json.stdout) as { problems: unknown }).problems,
    }).toEqual({
      code: 2,
      problems: [
        {
          ...problem(6, 16, 'invalid-value', 'threshold: must be at most 1'),
          path: ['tests', 0, 'threshold'],
        },
        {
          ...problem(7, 11, 'wrong-type', 'tags: expected a list, got "smoke"'),
          hint: 'for a list with one entry, write ["smoke"]',
          path: ['tests', 0, 'tags'],
        },
        {
          ...problem(8, 5, 'unknown-key', 'unknown key `expected_fial`'),
          hint: 'did you mean `expected_fail`?',
          path: ['tests', 0, 'expected_fial'],
        },
      ],
    });
  });
});

function problem(line: number, column: number, code: string, message: string) {
  return { file: 'evals/several.eval.yaml', line, column, code, message };
}

/** What is wrong beside the eval files: files, arguments and the line that says so. */
const others: readonly (readonly [string, Files, readonly string[], RegExp])[] = [
  [
    'an unknown key of the config',
    { 'assay.config.yaml': `${CONFIG}taget: agent\n` },
    [],
    /^assay\.config\.yaml:3:1 {2}unknown-key {2}.*taget.*\(did you mean .?target.?\?\)$/m,
  ],
  [
    'an unknown key of a target',
    { 'assay.config.yaml': CONFIG.replace('command', 'comand') },
    [],
    /^assay\.config\.yaml:2:\d+ {2}unknown-key {2}.*comand.*\(did you mean .?command.?\?\)$/m,
  ],
  [
    'an unknown type of target',
    { 'assay.config.yaml': CONFIG.replace('cli', 'cil') },
    [],
    /^assay\.config\.yaml:2:\d+ {2}unknown-\S+ {2}.*cil.*\(did you mean .?cli.?\?\)$/m,
  ],
  ['an empty config', { 'assay.config.yaml': '' }, [], /^assay\.config\.yaml.*\n|no target/m],
  ['two configs', { 'assay.config.json': '{}' }, [], /assay\.config\.json/],
  ['a config that is not there', {}, ['--config', 'nowhere.yaml'], /nowhere\.yaml/],
  ['no config at all, and no target', { 'assay.config.yaml': undefined }, [], /target/],
];

describe.concurrent('beside the eval files', () => {
  test.each(others)(
    '%s is told by run and validate alike, and nothing is run',
    async (_, files, args, line) => {
      const all: Files = { 'assay.config.yaml': CONFIG, 'agent.sh': AGENT, 'good.eval.yaml': GOOD, ...files };
      await using project = openProject(
        Object.fromEntries(Object.entries(all).filter(([, content]) => content !== undefined)),
      );
      const [ran, validated] = await Promise.all([
        project.assay('run', ...args),
        project.assay('validate', ...args),
      ]);
      expect(ran.stderr).toMatch(line);
      expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/internal error|^\s+at /m);
      expect({ run: ran.code, validate: validated.code, runs: project.runs() }).toEqual({
        run: 2,
        validate: 2,
        runs: [],
      });
      const told = `${validated.stdout}${validated.stderr}`.replace(/^assay: /gm, '');
      expect(told).toBe(ran.stderr.replace(/^assay: /gm, ''));
    },
  );

  test('an unset variable of a target that is used keeps a run from starting; validate leaves values alone', async () => {
    const config = `${CONFIG}  other:\n    type: http\n    url: http://127.0.0.1:9/\${{ NO_SUCH_PART }}\ntarget: other\n`;
    await using project = openProject({
      'assay.config.yaml': config,
      'agent.sh': AGENT,
      'good.eval.yaml': GOOD,
    });
    const [ran, validated] = await Promise.all([project.assay('run'), project.assay('validate')]);
    expect(ran.stderr).toMatch(
      /^assay\.config\.yaml:\d+:\d+ {2}environment-unset {2}targets\.other\.url: environment variable NO_SUCH_PART is not set {2}\(.+\)$/m,
    );
    expect({ run: ran.code, validate: validated.code, runs: project.runs() }).toEqual({
      run: 2,
      validate: 0,
      runs: [],
    });
  });

  test('an unset variable is told together with what is wrong in the files', async () => {
    const config = `targets:\n  agent: { type: cli, command: [sh, "\${{ NO_SUCH_PART }}"] }\n`;
    await using project = openProject({
      'assay.config.yaml': config,
      'good.eval.yaml': GOOD,
      'bad.eval.yaml': `${GOOD}repeat: often\n`,
    });
    const ran = await project.assay('run');
    expect(ran.code).toBe(2);
    expect(ran.stderr.match(/ {2}(environment-unset|wrong-type) {2}/g)).toEqual([
      '  wrong-type  ',
      '  environment-unset  ',
    ]);
  });

  test('an image for a target that takes none keeps a run from starting', async () => {
    const input = [{ role: 'user', content: [{ type: 'image', value: 'dot.png' }] }];
    const targets = {
      blind: { type: 'cli', command: ['sh', './agent.sh'] },
      seeing: { type: 'cli', command: ['sh', './agent.sh'], images: true },
    };
    await using project = openProject({
      'assay.config.json': { targets, target: 'blind' },
      'agent.sh': AGENT,
      'dot.png': 'dot',
      'some.eval.yaml': { tests: [{ id: 'a', input, assert: [{ type: 'contains', value: 'the answer' }] }] },
    });
    const refused = await project.assay('run');
    expect([refused.code, project.runs()]).toEqual([2, []]);
    expect(refused.stderr).toMatch(
      /^some\.eval\.yaml {2}images-refused {2}the test "a" sends an image, but images are not enabled for the target "blind" {2}\(.*images: true.*\)$/m,
    );
    expect((await project.assay('run', '--target', 'seeing')).code).toBe(0);
  });

  test('files of different configs are no single run, unless one config is named', async () => {
    await using project = openProject({
      'assay.config.yaml': CONFIG,
      'agent.sh': AGENT,
      'good.eval.yaml': GOOD,
      'other/assay.config.yaml': 'targets:\n  another: { type: mock, response: the answer }\n',
      'other/good.eval.yaml': GOOD,
    });
    const [both, one, named] = await Promise.all([
      project.assay('run'),
      project.assay('run', 'other'),
      project.assay('run', '--config', 'other/assay.config.yaml'),
    ]);
    expect(both.stderr).toMatch(
      /^other\/good\.eval\.yaml {2}config-different {2}uses other\/assay\.config\.yaml, but good\.eval\.yaml uses assay\.config\.yaml; a run can only have one config {2}\(.*--config\)$/m,
    );
    expect([both.code, one.code, named.code]).toEqual([2, 0, 0]);
  });

  test.each([
    ['an unknown option', ['run', '--tagret', 'agent'], /--target/],
    ['an unknown target', ['run', '--target', 'agnet'], /agnet.*\n?.*agent/],
    ['a case that is not there', ['run', '--case', 'nobody'], /--case nobody/],
    ['a tag that is not there', ['run', '--tag', 'nobody'], /--tag nobody/],
    ['a count of nothing', ['run', '--repeat', '0'], /whole number from 1/],
    ['a shard beyond the last', ['run', '--shard', '3/2'], /1\/4/],
    ['an unknown reporter', ['run', '--reporter', 'juint'], /did you mean junit/],
    ['money that is only its sign', ['run', '--max-cost', '$'], /Give US dollars/],
    ['two schemas at once', ['schema', '--config', '--test-case'], /cannot be used with option '--config'/],
    ['a reporter without its file', ['run', '--reporter', 'html='], /html= names no file/],
    ['a path below a file', ['run', 'good.eval.yaml/x'], /good\.eval\.yaml\/x {2}missing-file/],
    [
      'a stored path below a file',
      ['run', '--stored', 'good.eval.yaml/x'],
      /good\.eval\.yaml\/x {2}missing-file/,
    ],
    ['a folder for a report', ['run', '--reporter', 'junit=.'], /junit=\. names a folder/],
    ['an unknown run', ['resume', '20260101T000000Z-aaaaaa'], /no run "20260101T000000Z-aaaaaa"/],
    ['an unknown run to grade', ['grade', 'latest'], /no run "latest"/],
    ['an unknown run to show', ['show'], /no run "latest"/],
    ['an unknown run whose failures are wanted', ['run', '--failed', 'latest'], /no run "latest"/],
    ['one run to merge', ['merge', 'latest'], /no run "latest"|at least two/],
    ['an unknown command', ['rnu'], /run/],
    [
      'a command of other tools',
      ['test'],
      /^error: unknown command 'test'\n\(Did you mean run\?\)\n\(assay --help shows the commands\)\n$/,
    ],
    [
      'help of an unknown command',
      ['help', 'rnu'],
      /^error: unknown command 'rnu'\n\(Did you mean run\?\)\n/,
    ],
    ['a cap on money that nothing can keep', ['run', '--max-cost', '1'], /unknown-cost/],
  ])('%s ends with 2 and one clear message', async (_, args, message) => {
    await using project = openProject({
      'assay.config.yaml': CONFIG,
      'agent.sh': AGENT,
      'good.eval.yaml': GOOD,
    });
    const ended = await project.assay(...args);
    expect({ code: ended.code, stdout: ended.stdout, runs: project.runs() }).toEqual({
      code: 2,
      stdout: '',
      runs: [],
    });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/internal error|^\s+at /m);
    expect(existsSync(project.path('started'))).toBe(false);
  });
});

describe.concurrent('legal and harmless', () => {
  test('is an id that looks like a path', async () => {
    const command = ['sh', '-c', 'echo the answer; echo to stderr >&2; touch "$ASSAY_ARTIFACT_DIR/file"'];
    await using project = openProject({
      'assay.config.json': { targets: { agent: { type: 'cli', command } } },
      'odd.eval.yaml': {
        workspace: { keep: 'always' },
        tests: ['../../x', '/etc/passwd', '..', 'a/b\\c', '%2e%2e', 'nul\u0001', '💥 é', '-rf', ' a '].map(
          (id) => ({
            id,
            input: 'x',
            assert: [{ type: 'contains', value: 'the answer' }],
          }),
        ),
      },
    });
    const ended = await project.assay('run');
    const run = newestRun(project);
    expect({
      code: ended.code,
      ids: rowsOf(run)
        .map(({ caseId }) => caseId)
        .sort(),
    }).toEqual({
      code: 0,
      ids: ['../../x', '/etc/passwd', '..', 'a/b\\c', '%2e%2e', 'nul\u0001', '💥 é', '-rf', ' a '].sort(),
    });
    const places = rowsOf(run).flatMap(({ artifactDir = '', workspacePath = '' }) => [
      `${run}/${artifactDir}`,
      `${run}/${workspacePath}`,
    ]);
    expect(
      places.filter((place) => !place.startsWith(`${run}/`) || place.includes('..') || !existsSync(place)),
    ).toEqual([]);
    const shown = await project.assay('show', '--trial', 'odd.eval.yaml/..%2F..%2Fx/agent/r1');
    expect({ code: shown.code, shown: shown.stdout.includes('../../x') }).toEqual({ code: 0, shown: true });
  });

  test('are a byte order mark and lines that end with CR LF', async () => {
    const jsonl = JSON.stringify({ id: 'j', input: 'x', assert: [{ type: 'equals', value: 'the answer' }] });
    await using project = openProject({
      'assay.config.yaml': `\ufeff${CONFIG.replaceAll('\n', '\r\n')}`,
      'agent.sh': AGENT,
      'a.eval.yaml': `\ufeff${GOOD.replaceAll('\n', '\r\n')}`,
      'b.eval.jsonl': `\ufeff${jsonl}\r\n\r\n${jsonl.replace('"j"', '"k"')}\r\n`,
    });
    const ended = await project.assay('run');
    expect({
      code: ended.code,
      stderr: ended.stderr,
      rows: rowsOf(newestRun(project))
        .map(({ caseId }) => caseId)
        .sort(),
    }).toEqual({
      code: 0,
      stderr: '',
      rows: ['a', 'j', 'k'],
    });
  });

  test('are 50 MB of JSONL', async () => {
    const text = 'x'.repeat(2_500);
    const lines = Array.from({ length: 20_000 }, (_, number) =>
      JSON.stringify({
        id: `case-${number}`,
        input: text,
        assert: [{ type: 'contains', value: 'the answer' }],
      }),
    );
    await using project = openProject({
      'assay.config.yaml': CONFIG,
      'agent.sh': AGENT,
      'large.eval.jsonl': `${lines.join('\n')}\n`,
    });
    const [ran, validated] = await Promise.all([
      project.assay('run', '--case', 'case-1999?'),
      project.assay('validate'),
    ]);
    expect({ ran: ran.code, rows: rowsOf(newestRun(project)).length, validated: validated.stdout }).toEqual({
      ran: 0,
      rows: 10,
      validated: '1 file and 20000 cases checked: no problems\n',
    });
  });
});
