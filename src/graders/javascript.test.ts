import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { javascript } from './javascript.ts';
import { findingOf, problemsOf, services, subjectOf, type SubjectSketch } from './subject.fixture.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const booked: SubjectSketch = {
  answer: 'Your room in Riga is booked.',
  reference: 'booked',
  case: { vars: { city: 'Riga' }, metadata: { stars: 3 } },
  entries: [
    { type: 'message', role: 'user', parts: [{ text: 'Book it.' }] },
    { type: 'tool-call', callId: '1', name: 'book', input: { nights: 2 } },
    { type: 'tool-result', callId: '1', output: 'done' },
    { type: 'message', role: 'assistant', parts: [{ text: 'Your room in Riga is booked.' }] },
  ],
};

test('an expression sees the answer, the variables and the calls of tools', async () => {
  const value = "output.includes(vars.city) && calls('refund') === 0";
  expect(await findingOf(javascript, { value }, booked)).toEqual({
    score: 1,
    reason: `the check holds: ${JSON.stringify(value)}`,
  });
  expect(await findingOf(javascript, { value: "calls('book') === 0" }, booked)).toEqual({
    score: 0,
    reason: `the check does not hold: "calls('book') === 0"; the answer is "Your room in Riga is booked."`,
  });
});

test('a check sees the whole conversation', async () => {
  const value =
    'return { score: 1, reason: JSON.stringify([turns, expected, metadata, config, calls(), testId]) }';
  const { reason } = await findingOf(javascript, { value, config: { a: 1 } }, booked);
  const call = { tool: 'book', input: { nights: 2 }, output: 'done', failed: false, turn: 1 };
  expect(JSON.parse(reason)).toEqual([
    [{ turn: 1, user: 'Book it.', assistant: 'Your room in Riga is booked.', calls: [call] }],
    'booked',
    { stars: 3 },
    { a: 1 },
    1,
    'case',
  ]);
});

test.each([
  ['0.5', { score: 0.5, reason: 'the check returned 0.5: "0.5"; the answer is empty' }],
  ["({ score: 0.7, reason: 'nearly' })", { score: 0.7, reason: 'nearly' }],
  ["({ pass: false, reason: 'no' })", { score: 0, passed: false, reason: 'no' }],
  ['await Promise.resolve(true)', { score: 1, reason: 'the check holds: "await Promise.resolve(true)"' }],
  ["assert.equal(1, 2, 'one is not two'); return true", { score: 0, reason: 'one is not two\n\n1 !== 2' }],
])('%s is a grade', async (value, finding) => {
  expect(await findingOf(javascript, { value }, {})).toEqual(finding);
});

test.each([
  ['NaN', 'the check returned NaN; return true, false, a number from 0 to 1, or { score or pass, reason }'],
  ['2', 'the check returned 2;'],
  ['undefined', 'the check returned undefined;'],
  ["({ pass: 'yes' })", 'the check returned pass: "yes"; it must be true or false'],
  ['({ score: 7 })', 'the check returned score: 7; it must be a number from 0 to 1'],
  ["throw 'a text'", 'the check threw "a text"'],
  ['nowhere.at', 'the check threw ReferenceError: nowhere is not defined'],
  ['process.exit(3); return true', 'the check ended its thread: process.exit(3)'],
])('%s errors the grade', async (value, words) => {
  await expect(findingOf(javascript, { value }, {})).rejects.toThrow(words);
});

test.each([
  ['12', { score: 1, reason: 'the check holds: "12"' }],
  ['-3', { score: 0, reason: 'the check does not hold: "-3"; the answer is empty' }],
  ['return 12', { score: 1, reason: 'the check holds: "return 12"' }],
  ["({ pass: true, score: 7, reason: 'long' })", { score: 1, passed: true, reason: 'long' }],
])('with `clamp`, %s is a score from 0 to 1', async (value, finding) => {
  expect(await findingOf(javascript, { value, clamp: true }, {})).toEqual(finding);
});

test.each(['NaN', '1 / 0', "({ score: '7' })"])('with `clamp`, %s errors the grade', async (value) => {
  await expect(findingOf(javascript, { value, clamp: true }, {})).rejects.toThrow('the check returned');
});

test.each(['while (true); return true', 'return new Promise(() => {})'])(
  '%s is ended, and the next check runs',
  async (value) => {
    const limited = { value, timeout_ms: 100 };
    await expect(findingOf(javascript, limited, {})).rejects.toThrow('the check took more than 100 ms');
    expect((await findingOf(javascript, { value: 'true' }, {})).score).toBe(1);
  },
);

test('the time limit holds for a check that its thread has loaded before', async () => {
  const value = 'globalThis.asked = (globalThis.asked ?? 0) + 1; while (globalThis.asked > 1); return true';
  const environment = { ONLY: 'here' };
  const grade = async () => {
    const settings = javascript.config.parse({ value, timeout_ms: 200 });
    const grader = javascript.create(settings, { ...services, environment });
    return (await grader.grade(subjectOf({}), new AbortController().signal))[0]?.score;
  };
  expect(await grade()).toBe(1);
  await expect(grade()).rejects.toThrow('the check took more than 200 ms');
});

test('a check that keeps too much memory errors its grade', async () => {
  const value = 'const all = []; for (;;) all.push(new Array(1e6).fill(0.5)); return true';
  await expect(findingOf(javascript, { value, timeout_ms: 60_000 }, {})).rejects.toThrow(
    'the check used more than 256 MB of memory',
  );
});

test('a check that changes its input changes neither the case nor the next check', async () => {
  const subject = subjectOf(booked);
  const value = "vars.city = 'Oslo'; turns.length = 0; return true";
  expect((await findingOf(javascript, { value }, subject)).score).toBe(1);
  expect(subject.case.vars).toEqual({ city: 'Riga' });
  expect(
    (await findingOf(javascript, { value: "vars.city === 'Riga' && turns.length === 1" }, subject)).score,
  ).toBe(1);
});

test('what a check prints is not printed by assay', async () => {
  const written = vi.spyOn(process.stdout, 'write');
  onTestFinished(() => written.mockRestore());
  const value = "console.log('noise'); console.error('noise'); return true";
  expect((await findingOf(javascript, { value }, {})).score).toBe(1);
  expect(written.mock.calls).toEqual([]);
});

test('messages that a check sends from its thread are not its answer', async () => {
  const send = (sent: string) => `process.getBuiltinModule('worker_threads').parentPort.postMessage(${sent})`;
  const value = `${send('3')}; ${send('null')}; ${send("{ hello: 'you' }")}; return true`;
  expect((await findingOf(javascript, { value }, {})).score).toBe(1);
});

test('a check sees only the variables of its environment', async () => {
  const value = 'Object.keys(process.env).length === 0';
  expect((await findingOf(javascript, { value }, {})).score).toBe(1);
});

test('a TypeScript module is a check by its default export', async () => {
  const directory = folderOfTest('assay-check-');
  writeFileSync(
    join(directory, 'check.ts'),
    `import assert from 'node:assert';
     import { defineCheck, type CheckInput } from 'assay';
     export default defineCheck(({ output, vars }: CheckInput) => { assert.match(output, new RegExp(String(vars.city))); return true; });`,
  );
  writeFileSync(join(directory, 'none.ts'), 'export const check = 1;');
  const graded = async (file: string, sketch: SubjectSketch) => {
    const config = javascript.config.parse({ value: `file://${file}` });
    const grader = javascript.create(config, { ...services, directory });
    return await grader.grade(subjectOf(sketch), new AbortController().signal);
  };
  expect(await graded('check.ts', booked)).toEqual([{ score: 1, reason: 'the check holds: check.ts' }]);
  const [failed] = await graded('check.ts', { ...booked, answer: 'Nothing.' });
  expect([failed?.score, failed?.reason.startsWith('The input did not match')]).toEqual([0, true]);
  await expect(graded('none.ts', booked)).rejects.toThrow('has no check: write export default defineCheck(');
});

test.each([
  ['(output) => output.includes("Riga")', 1],
  ['(output, context) => output.includes(context.vars.city) && context.test.vars.city === "Riga"', 1],
  [
    'async function check(output, { vars, prompt }) { return output.includes(vars.city) && prompt === "Book it."; }',
    1,
  ],
  ['function (output) { return arguments[1].calls("book") === 1; }', 1],
  ['() => 0.5', 0.5],
  ['(output) => JSON.parse(JSON.stringify({ output })).output === output', 1],
  ['(output) => { const { length } = output; return length > 3; }', 1],
])('as for promptfoo, the file of a check may export %s', async (source, score) => {
  expect((await exported(source))?.score).toBe(score);
});

test.each([
  '({ output }) => output.includes("Riga")',
  'async ({ output }) => output.includes("Riga")',
  'async function check({ output }) { return output.includes("Riga"); }',
  '(input) => input.output.includes("Riga")',
  '(input) => !(input.toolCalls ?? []).some((call) => call.tool === "delete")',
  '(input) => input.costUsd < 1',
  'function check(input) { const { output } = input; return !output?.includes("x"); }',
  '(/* one object */ { output }) => !output?.includes("x")',
  '({ output }, context) => context !== undefined && output === undefined',
  '(input = {}) => input?.["output"] === undefined',
  '({ check({ output }) { return !output?.includes("x"); } }).check',
  '(given) => ((input) => input.vars?.city === undefined)(given)',
  'async (input) => { await 0; return input.durationMs > 1; }',
])('without defineCheck, the file of a check cannot export %s, and its message says so', async (source) => {
  await expect(exported(source)).rejects.toThrow(
    'a check without defineCheck gets (output, context), and its first parameter is a text; for one object, write export default defineCheck(({ output, vars }) => ...)',
  );
});

test('the error of a check in a file stays as it was thrown', async () => {
  const source =
    '(() => { const error = Object.freeze(new TypeError("no city")); return (output) => { throw error; }; })()';
  await expect(exported(source)).rejects.toThrow(/^the check threw TypeError: no city(?! \(a check)/);
});

test('a check in a text may read context, as for promptfoo', async () => {
  for (const value of [
    'output.includes(context.vars.city)',
    'return context.test.vars.city === "Riga" && context.prompt === "Book it." && context.calls("book") === 1',
  ])
    expect((await findingOf(javascript, { value }, booked)).score).toBe(1);
});

test.each([
  'context.provider === undefined',
  'const { trace } = context; return trace === undefined',
  'return context?.["logProbs"] === undefined',
])('a check from promptfoo that reads what assay does not have is errored: %s', async (value) => {
  const fault = /assay does not have `context\.(?:provider|trace|logProbs)`/;
  await expect(findingOf(javascript, { value }, booked)).rejects.toThrow(fault);
});

test('so is a check in a file', async () => {
  await expect(exported('(output, { providerResponse }) => !providerResponse')).rejects.toThrow(
    'assay does not have `context.providerResponse`',
  );
  expect((await exported('(output, context) => Object.keys(context).includes("vars")'))?.score).toBe(1);
});

test('a check in a text may declare `context` itself', async () => {
  const value = 'const context = output.split(" "); return context.length > 2;';
  expect((await findingOf(javascript, { value }, booked)).score).toBe(1);
});

test('a syntax error is reported before anything runs', () => {
  expect(problemsOf(javascript, { value: 'output.includes(' })).toEqual([
    "value: is not JavaScript: Unexpected token '}' (line 1)",
  ]);
  expect(problemsOf(javascript, { value: 'const a = 1;' })).toEqual([
    'value: never returns: end the statements with `return`',
  ]);
  expect(problemsOf(javascript, { value: 'file:///etc/check.ts' })).toEqual([
    'value: must be relative to this file, such as file://checks/check.ts',
  ]);
  expect(problemsOf(javascript, { value: 'file://check.py' })).toEqual([
    'value: must name a .js or .ts file',
  ]);
  const config = { value: 'file://check.ts', timeout_ms: 1 };
  expect(javascript.fileFaults?.('const a: number = 1;\nexport default (', config, '/check.ts')).toEqual([
    '2:16: Unexpected token',
  ]);
  expect(javascript.fileFaults?.('export default (a: number) => true;', config, '/check.ts')).toEqual([]);
});

/** The finding of a check in a file. */
async function exported(source: string) {
  const directory = folderOfTest('assay-check-');
  writeFileSync(join(directory, 'check.cjs'), `module.exports = ${source};`);
  const config = javascript.config.parse({ value: 'file://check.cjs' });
  const grader = javascript.create(config, { ...services, directory });
  const [finding] = await grader.grade(subjectOf(booked), new AbortController().signal);
  return finding;
}
