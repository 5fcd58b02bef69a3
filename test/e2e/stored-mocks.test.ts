import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Frozen } from '../../src/core/run.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { openProject } from './support/here.ts';
import { rowOf, runsIn, type Project } from './support/project.ts';

const call = (id: string) => ({ toolCalls: [{ name: 'lookup', input: { id } }] });
const LOOKUP = { name: 'lookup', parameters: { type: 'object', properties: { id: { type: 'string' } } } };
const GATE = { type: 'world_state', name: 'untouched', changed_only: [] };

const bot = (more: object = {}) => ({
  type: 'openai-compatible',
  baseUrl: `${server.url}/v1`,
  model: 'any',
  tools: [LOOKUP],
  ...more,
});

const config = (targets: object, more: object = {}) => ({
  target: Object.keys(targets)[0],
  targets,
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { expectations: [{ type: 'contains', name: 'seen', value: 'seen' }], ...more },
});

const envelope = (...mocks: readonly object[]) => ({
  format: 'assay-cases',
  schema_version: '1.0.0',
  test_cases: [{ name: 'a', initial_message: 'look at X', expected_tool_calls: [{ tool: 'lookup' }] }],
  tool_mocks: mocks.map((mock) => ({ test_case: 'a', tool: 'lookup', ...mock })),
});

let server: ModelServer;
let project: Project;

beforeAll(async () => {
  server = await startModelServer({
    records: true,
    script: { rules: [{ match: { last: 'look at X' }, replies: [call('X'), { text: 'seen' }] }] },
  });
  project = openProject({});
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

let runs = 0;

async function run(files: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const name = `s${++runs}`;
  project.write(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`${name}/${path}`, content])),
  );
  const all = ['run', '--stored', `${name}/cases`, '--config', `${name}/assay.config.json`, '--out', name];
  const ended = await project.start([...all, ...args]).ended;
  const folder = runsIn(project.path(name))[0] ?? '';
  return { ...ended, folder, name };
}

/** What came back from the tools of the last request that was answered with `seen`. */
const answered = () =>
  server.requests.flatMap(({ body }) =>
    (body as { messages: readonly { role: string; content: unknown }[] }).messages.flatMap((message) =>
      message.role === 'tool' ? [message.content] : [],
    ),
  );

test('mocks of a case replace those that its target has for a tool', async () => {
  const target = bot({ mocks: [{ tool: 'lookup', result: 'of the target' }] });
  const before = answered().length;
  const own = await run({
    'assay.config.json': config({ bot: target }),
    'cases/a.json': envelope({ result: 'of the case' }),
  });
  expect([own.code, own.stderr]).toEqual([0, '']);
  const none = await run({ 'assay.config.json': config({ bot: target }), 'cases/a.json': envelope() });
  expect([none.code, none.stderr]).toEqual([0, '']);
  expect(answered().slice(before)).toEqual(['of the case', 'of the target']);
});

test('mocks have a digest of their own: the case keeps its, and the runs are not compared in silence', async () => {
  const files = (result: string) => ({
    'assay.config.json': config({ bot: bot() }),
    'cases/a.json': envelope({ result }),
  });
  const one = await run(files('one'));
  const two = await run(files('two'));
  const digestsOf = ({ folder }: { folder: string }) => {
    const { digests } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Manifest;
    const row = rowOf(folder, 'a');
    return [row.digests.case, row.digests.mocks ?? -1].map((number) => digests[number]);
  };
  const [before, after] = [digestsOf(one), digestsOf(two)];
  expect([before[0] === after[0], before[1] === after[1], before.includes(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
  const compared = await project.assay('compare', one.folder, two.folder);
  expect([compared.code, compared.stdout]).toEqual([3, expect.stringContaining('invalid')]);
  const again = await project.assay('compare', one.folder, two.folder, '--across', 'case');
  expect(again.code).toBe(0);
  project.write({ [`${one.name}/cases/a.json`]: files('changed')['cases/a.json'] });
  const resumed = await project.assay('resume', one.folder, '--retry', 'errored');
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('stored')]);
});

test('answers that an older file has inside of expected calls are taken, and that is told', async () => {
  const old = {
    name: 'a',
    initial_message: 'look at X',
    expected_tool_calls: [{ tool: 'lookup', mock_responses: [{ response: 'of an older file' }] }],
  };
  const before = answered().length;
  const { code, stderr, folder, name } = await run({
    'assay.config.json': config({ bot: bot() }),
    'cases/a.json': old,
  });
  expect([code, stderr, answered().slice(before)]).toEqual([0, '', ['of an older file']]);
  const note =
    'converted to tool mocks: the one answer in `mock_responses` of its expected tool calls (an old format)';
  expect(rowOf(folder, 'a').notes).toEqual([note]);
  const checked = await project.assay('cases', 'validate', `${name}/cases`);
  expect(checked.stdout).toBe(
    `${name}/cases/a.json: "a": ${note}\n1 file and 1 test case checked: no problems\n`,
  );
  const shown = await project.assay('cases', 'show', 'a', `${name}/cases`);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    expected_tool_calls: [{ tool: 'lookup', expected_params: null }],
    mocks: [{ tool: 'lookup', match: 'any', times: null, result: 'of an older file' }],
    mocks_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('a case is shown with the digest of its mocks that its rows have, unless code answers, which no file of cases holds', async () => {
  const plain = await run({
    'assay.config.json': config({ bot: bot() }),
    'cases/a.json': envelope({ result: 1 }),
  });
  const shown = await project.assay('cases', 'show', 'a', `${plain.name}/cases`);
  const { mocks_digest } = JSON.parse(shown.stdout) as { mocks_digest?: string };
  const { digests } = JSON.parse(readFileSync(join(plain.folder, 'run.json'), 'utf8')) as Manifest;
  expect(mocks_digest).toBe(digests[rowOf(plain.folder, 'a').digests.mocks ?? -1]);
  project.write({ 'handled.json': envelope({ handler: 'lookups' }) });
  const handled = await project.assay('cases', 'show', 'a', 'handled.json');
  expect(Object.keys(JSON.parse(handled.stdout) as object)).toEqual(
    Object.keys(JSON.parse(shown.stdout) as object).filter((key) => key !== 'mocks_digest'),
  );
});

test('faults of the run happen in every stored case', async () => {
  const run1 = { faults: [{ tool: 'lookup', kind: 'http-5xx', onCall: 1 }], expectations: [GATE] };
  const before = answered().length;
  const { code, stderr } = await run({
    'assay.config.json': config(
      { bot: bot() },
      { ...run1, expectations: [{ type: 'contains', value: 'seen' }] },
    ),
    'cases/a.json': envelope({ result: 1 }),
  });
  expect([code, stderr, answered().slice(before)]).toEqual([0, '', [expect.stringContaining('503')]]);
});

test('hard cases weigh what the config says, in results.json and in what is shown', async () => {
  const seen = { initial_message: 'look at X' };
  const { code, folder, stdout } = await run({
    'assay.config.json': config({ bot: bot() }, { difficultyWeights: { normal: 1, hard: 3 } }),
    'cases/a.json': envelope({ result: 1 }),
    'cases/b.json': {
      format: 'assay-cases',
      schema_version: '1.0.0',
      test_cases: [
        { name: 'b', difficulty: 'hard', tags: ['t'], ...seen, expected_tool_calls: [{ tool: 'other' }] },
      ],
      tool_mocks: [{ test_case: 'b', tool: 'lookup', result: 1 }],
    },
  });
  expect(code).toBe(1);
  expect(stdout).toContain('by difficulty: hard 0/1 = 0 %');
  const { totals } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  expect(totals).toMatchObject({
    casePassRate: { value: 0.5, cases: 2 },
    weightedPassRate: { value: 0.25, cases: 2, weights: { normal: 1, hard: 3 } },
    byTag: { t: { passRate: { value: 0, measured: 1 } } },
  });
  expect(rowOf(folder, 'b').difficulty).toBe('hard');
});

test('mocks that could never answer are told before anything runs', async () => {
  const refused = async (targets: object, mocks: readonly object[], more: object = {}) => {
    const { code, stderr } = await run(
      { 'assay.config.json': config(targets, more), 'cases/a.json': envelope(...mocks) },
      ...Object.keys(targets).flatMap((name) => ['--target', name]),
    );
    return [code, ...(stderr.match(/ {2}[a-z-]+ {2}.*?(?= {2}\(|\n)/g) ?? [])];
  };
  const service = { type: 'http', url: 'http://127.0.0.1:9/' };
  const mocks = [{ tool: 'lookup', result: 1 }];
  expect(await refused({ service }, [{ result: 1 }])).toEqual([
    2,
    '  mocks-unreachable  test "a": the target "service" of type http cannot call mocked tools',
  ]);
  expect(await refused({ service: { ...service, tools: [LOOKUP], mocks } }, [])).toEqual([
    2,
    '  mocks-unreachable  the target "service" of type http cannot call mocked tools',
  ]);
  expect(await refused({ bot: bot({ mocks: [{ tool: 'lokup', result: 1 }] }) }, [])).toEqual([
    2,
    '  tool-undeclared  targets.bot: mocks[0].tool: the mock answers the tool "lokup", which is not declared in `tools` of the target',
  ]);
  expect(await refused({ bot: bot({ mocks: [{ tool: 'lookup', handler: 'x' }] }) }, [])).toEqual([
    2,
    '  unknown-handler  no registered world has a tool "x"',
  ]);
  expect(
    await refused({ bot: bot() }, [], {
      faults: [{ tool: 'lookup', kind: 'slow', onCall: 1, probability: 1 }],
    }),
  ).toEqual([2, '  invalid-value  run.faults[0]: a fault needs either `onCall` or `probability`']);
});

test('what the run itself plans wrongly is told once, at the config, however many cases there are', async () => {
  const refused = async (target: object) => {
    const { code, stderr } = await run({
      'assay.config.json': config({ t: target }, { faults: [{ tool: 'lokup', kind: 'slow', onCall: 1 }] }),
      'cases/a.json': envelope(),
      'cases/b.json': { name: 'b', initial_message: 'look at X', expected_tool_calls: [] },
    });
    return [
      code,
      ...stderr
        .split('\n')
        .flatMap(
          (line) => line.replace(/:\d+:\d+ /, ':LINE ').match(/config\.json:LINE .*|^assay: .*/) ?? [],
        ),
    ];
  };
  expect(await refused(bot())).toEqual([
    2,
    'config.json:LINE  tool-undeclared  run.faults[0].tool: a fault names the tool "lokup", which the target "t" does not declare  (did you mean `lookup`?)',
    'assay: 1 problem found; nothing was run',
  ]);
  expect(await refused({ type: 'http', url: 'http://127.0.0.1:9/' })).toEqual([
    2,
    'config.json:LINE  mocks-unreachable  run.faults: the target "t" of type http cannot call mocked tools  (remove the mocks, or use a target that supports tools, such as `model`)',
    'assay: 1 problem found; nothing was run',
  ]);
});

test('a run keeps what it used, whole: later edits of files change nothing of it', async () => {
  const files = {
    'assay.config.json': config({ bot: bot() }),
    'cases/a.json': envelope({ result: 'kept' }),
  };
  const { folder, name } = await run(files);
  const shown = async (directory: string) => {
    const { stdout } = await project.assay('show', directory, '--trial', 'a', '--json');
    return (JSON.parse(stdout) as { frozen: readonly Frozen[] }).frozen;
  };
  const before = await shown(folder);
  expect(before.map(({ kind }) => kind)).toEqual([
    'case',
    'label',
    'mocks',
    'terms',
    'expectation',
    'expectation',
  ]);
  expect(before[0]?.body).toMatchObject({
    schema_version: '1.0.0',
    initial_message: 'look at X',
    max_turns: null,
  });
  expect(before[1]?.body).toEqual({ name: 'a', difficulty: 'normal', tags: [] });
  expect(before[2]?.body).toEqual({ mocks: [{ tool: 'lookup', match: 'any', answer: { result: 'kept' } }] });
  expect(before[5]?.body).toEqual({
    type: 'contains',
    config: { value: 'seen' },
    version: expect.any(Number),
  });
  const renamed = {
    ...envelope({ result: 'other' }),
    test_cases: [{ name: 'a', initial_message: 'look at Y' }],
  };
  project.write({ [`${name}/cases/a.json`]: renamed });
  expect(await shown(folder)).toEqual(before);
  const graded = await project.assay('grade', folder, '--out', `${name}-graded`);
  const [again = ''] = runsIn(project.path(`${name}-graded`));
  expect([graded.code, rowOf(again, 'a').verdict]).toEqual([0, 'passed']);
  const kinds = (await shown(again)).map(({ kind, body }) => [
    kind,
    JSON.stringify(body).includes('look at Y'),
  ]);
  expect(kinds).toEqual([
    ['case', false],
    ['label', false],
    ['mocks', false],
    ['expectation', false],
    ['terms', false],
  ]);
});

test('a run keeps the files that its judges are asked by, the names of its cases, and what a model is told to play', async () => {
  const files = (prompt: string, name: string) => ({
    'assay.config.json': {
      ...config({ bot: bot() }, { expectations: [{ type: 'llm_judge', prompt: 'prompts/kind.md' }] }),
      user: { model: 'local/person' },
      models: { local: { baseUrl: `${server.url}/v1` } },
      judge: { model: 'local/judge', metrics: [] },
    },
    'prompts/kind.md': prompt,
    'cases/a.json': {
      id: '3f2a8a5e-7d0f-4c52-9c0f-0f4f6d2f8a11',
      name,
      description: 'of late',
      tags: ['shop'],
      initial_message: 'hello',
      max_turns: 1,
    },
  });
  const { folder, name } = await run(files('Was {{ output }} kind?', 'first'));
  const shown = async () => {
    const { stdout } = await project.assay(
      'show',
      folder,
      '--json',
      '--trial',
      files('', '')['cases/a.json'].id,
    );
    return (JSON.parse(stdout) as { frozen: readonly Frozen[] }).frozen;
  };
  const before = await shown();
  const bodies = Object.fromEntries(before.map(({ kind, body }) => [kind, body]));
  expect(bodies).toEqual({
    case: expect.objectContaining({ initial_message: 'hello' }),
    label: { name: 'first', description: 'of late', difficulty: 'normal', tags: ['shop'] },
    terms: expect.any(Object),
    'user-prompt': expect.stringContaining('You are an ordinary person who needs help.'),
    expectation: {
      type: 'llm_judge',
      config: expect.objectContaining({ prompt: 'prompts/kind.md' }),
      version: 1,
      files: { 'prompts/kind.md': 'Was {{ output }} kind?' },
    },
  });
  const later = Object.entries(files('Was it?', 'second'));
  project.write(Object.fromEntries(later.map(([path, content]) => [`${name}/${path}`, content])));
  expect(await shown()).toEqual(before);
});

test('what a run is expected to cost counts the asks of its users and every turn', async () => {
  const price = { input: 1, output: 1 };
  const dry = async (maxTurns: number) => {
    const { code, stdout, stderr } = await run(
      {
        'assay.config.json': {
          ...config({ service: { type: 'http', url: 'http://127.0.0.1:9/', price } }),
          user: { model: 'local/person' },
          models: { local: { baseUrl: `${server.url}/v1`, price } },
        },
        'cases/a.yaml': { name: 'a', initial_message: 'hi', max_turns: maxTurns, expected_tool_calls: [] },
      },
      '--dry',
      '--json',
    );
    expect([code, stderr]).toEqual([0, '']);
    const { estimate } = JSON.parse(stdout) as {
      estimate: { parts: readonly { name: string; usd: number }[] };
    };
    return estimate.parts.map(({ name, usd }) => [name, usd > 0]);
  };
  expect(await dry(1)).toEqual([]);
  expect(await dry(3)).toEqual([['user local/person', true]]);
});

test('a code suite is answered by the mocks of its target', async () => {
  const target = bot({ mocks: [{ tool: 'lookup', result: 'of the target' }] });
  project.write({
    'code/assay.config.json': { targets: { bot: target }, target: 'bot' },
    'code/looks.suite.mjs': `import { assert } from 'assay';
export default [{ id: 'looks', prompt: 'look at X', assert(report) { assert.toolCalls.has(report, { tool: 'lookup' }); } }];`,
  });
  const before = answered().length;
  const { code, stderr } = await project.assay('run', 'code/looks.suite.mjs', '--out', 'code-out');
  expect([code, stderr, answered().slice(before)]).toEqual([0, '', ['of the target']]);
});

test('selector flags choose among stored cases, and a draft that is named is skipped', async () => {
  const { name, code, folder } = await run(
    {
      'assay.config.json': config({ bot: bot() }),
      'cases/a.json': envelope({ result: 1 }),
      'cases/b.json': { name: 'b', status: 'draft', initial_message: 'look at X' },
    },
    '--id',
    'b',
    '--id',
    'a',
  );
  expect([code, rowOf(folder, 'a').verdict, rowOf(folder, 'b').skipped]).toEqual([0, 'passed', 'draft']);
  const listed = async (...flags: readonly string[]) => {
    const { code: ended, stdout, stderr } = await project.assay('cases', 'list', `${name}/cases`, ...flags);
    return [
      ended,
      stdout
        .split('\n')
        .map((line) => line.slice(0, 1))
        .join('') + stderr.split('\n')[0],
    ];
  };
  expect(await listed()).toEqual([0, 'a']);
  expect(await listed('--status', 'any')).toEqual([0, 'ab']);
  expect(await listed('--tag-any', 'x')).toEqual([0, '0']);
  expect(await listed('--set', 'all')).toEqual([
    2,
    'assay: --set cannot be used with paths: it selects test cases of the store, and paths select files',
  ]);
  expect(await listed('--status', 'draft')).toEqual([0, 'b']);
  expect(await listed('--status', 'active,draft', '--search', 'A')).toEqual([0, 'a']);
  expect(await listed('--status', 'done')).toEqual([2, expect.stringContaining('--status')]);
  const unknown = await project.assay(
    'run',
    '--stored',
    `${name}/cases`,
    '--config',
    `${name}/assay.config.json`,
    '--id',
    'c',
  );
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('no test case has the id or name "c"'),
  ]);
  const among = await project.assay('cases', 'list', `${name}/cases`, '--id', 'c', '--id', 'bb');
  expect([among.code, among.stdout, among.stderr]).toEqual([
    2,
    '',
    [
      '.  unknown-case  no test case has the id or name "c"  (did you mean "a"?)',
      '.  unknown-case  no test case has the id or name "bb"  (did you mean "b"?)',
      'assay: 2 problems found; nothing was run',
      '',
    ].join('\n'),
  ]);
  const none = await run(
    { 'assay.config.json': config({ bot: bot() }), 'cases/a.json': envelope() },
    '--search',
    'zz',
  );
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('no test case is selected by --search zz'),
  ]);
  const draft = { 'cases/a.json': { name: 'a', status: 'draft', initial_message: 'look at X' } };
  const drafts = await run({ 'assay.config.json': config({ bot: bot() }), ...draft });
  expect([drafts.code, drafts.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^assay: no test case is selected\n {2}only active cases are run: add `--status any`/,
    ),
  ]);
  const evals = await project.assay('run', '--difficulty', 'hard');
  expect([evals.code, evals.stderr]).toEqual([2, expect.stringContaining('select stored test cases')]);
});
