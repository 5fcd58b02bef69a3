import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import type { Row } from '../core/run.ts';
import { grade, readerOf, row, rows, servicesFor, unjudged } from './fixtures/sample-run.ts';
import { junit } from './junit.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = folderOfTest('assay-junit-');
});

async function report(all: Iterable<Row>): Promise<string> {
  const sink = junit.create(servicesFor(directory, { reader: readerOf(all) }));
  await sink.close?.();
  return readFile(join(directory, 'junit.xml'), 'utf8');
}

async function problems(xml: string): Promise<readonly string[]> {
  const schema = await readFile(join(import.meta.dirname, 'fixtures/junit.xsd'), 'utf8');
  const { errors } = await validateXML({ xml, schema, maxMemoryPages: 4096 });
  return errors.map((error) => error.message);
}

test('failures, errors and skipped are disjoint, and an expected failure is a passed test', async () => {
  const xml = await report(rows);
  expect(await problems(xml)).toEqual([]);
  expect(xml.match(/<testsuite .*>/g)).toEqual([
    '<testsuite name="evals/refunds.eval.yaml [support-bot]" package="evals/refunds.eval.yaml" id="0" hostname="localhost" timestamp="2026-03-01T10:15:01" tests="4" failures="1" errors="1" skipped="0" time="66.100">',
    '<testsuite name="evals/refunds.eval.yaml [baseline]" package="evals/refunds.eval.yaml" id="1" hostname="localhost" timestamp="2026-03-01T10:15:01" tests="3" failures="1" errors="0" skipped="1" time="4.000">',
  ]);
  expect(xml.match(/<(failure|error|skipped)\b.*/g)).toEqual([
    '<failure message="required no-refund: The answer promises a refund after the deadline." type="failed">required no-refund: The answer promises a refund after the deadline.',
    '<error message="timeout (target): No answer within 60 s." type="timeout">timeout (target): No answer within 60 s.',
    '<failure message="it was expected to fail and passed" type="unexpected-passed">it was expected to fail and passed</failure>',
    '<skipped message="draft">draft</skipped></testcase>',
  ]);
});

test('a passed trial whose expected outcomes were not judged is named in the output of its suite', async () => {
  const xml = await report([unjudged]);
  expect(await problems(xml)).toEqual([]);
  expect(xml).toContain('<system-out>greets-by-name/r1: passed, expected outcomes not judged\n</system-out>');
});

test('an errored trial of a stored case has its scores in percent', async () => {
  const xml = await report([
    row({
      suite: 'stored',
      verdict: 'errored',
      score: null,
      grades: [
        grade('judge/tone', { score: null, passed: false, reason: 'no answer' }),
        grade('judge/facts', { score: 0.6, passed: false, reason: 'half of them' }),
      ],
    }),
  ]);
  expect(await problems(xml)).toEqual([]);
  expect(xml).toContain('judge/tone (not decided): no answer\njudge/facts (60): half of them');
});

test('hostile text stays text and control characters are left out', async () => {
  const hostile = `]]></failure><x a='"'>&amp;\u0000\u001b[31m\ud800\ufffe\r\n\t${'y'.repeat(1_000_000)}`;
  const xml = await report([
    row({
      caseId: hostile.slice(0, 60),
      verdict: 'failed',
      grades: [grade(hostile, { passed: false, score: 0, reason: hostile })],
    }),
    row({ caseId: '../../x', target: '<&">' }),
  ]);
  expect(await problems(xml)).toEqual([]);
  expect(xml.length).toBeLessThan(20_000);
  expect(['<x', '\u001b', '\u0000'].filter((text) => xml.includes(text))).toEqual([]);
});

test('characters that reorder or hide text are left out everywhere', async () => {
  const hidden = [
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200b',
  ];
  const hostile = `a${hidden.join('')}b`;
  const xml = await report([
    row({
      caseId: hostile,
      target: hostile,
      verdict: 'failed',
      output: hostile,
      grades: [grade(hostile, { passed: false, score: 0, reason: hostile })],
    }),
  ]);
  expect(await problems(xml)).toEqual([]);
  expect(hidden.filter((character) => xml.includes(character))).toEqual([]);
});

test('a skipped test says why', async () => {
  const xml = await report([
    row({ verdict: 'skipped', skipped: 'dependency', notes: ['depends on "login", which did not pass'] }),
  ]);
  expect(await problems(xml)).toEqual([]);
  expect(xml).toContain(
    '<skipped message="dependency: depends on &quot;login&quot;, which did not pass">dependency: depends on &quot;login&quot;, which did not pass</skipped>',
  );
});

test('a trial whose judge was to be steered is named in the output of its suite, passed or not', async () => {
  const steered = { grades: [grade('polite', { type: 'llm_judge', details: { injection: true } })] };
  const xml = await report([
    row(),
    row({ caseId: 'sly', ...steered }),
    row({ caseId: 'bad <b>', verdict: 'failed', score: 0, ...steered }),
    row({ target: 'other' }),
  ]);
  expect(await problems(xml)).toEqual([]);
  const flag = 'judges report that the answer tries to influence their verdict: polite';
  expect(xml.match(/<system-out>[^]*?<\/system-out>/g)).toEqual([
    `<system-out>sly/r1: ${flag}\nbad &lt;b&gt;/r1: ${flag}\n</system-out>`,
    '<system-out></system-out>',
  ]);
  expect(xml.match(/<failure[^]*?<\/failure>/)?.[0]).toContain(`\n${flag}</failure>`);
});

test('every repetition is a separate test', async () => {
  const xml = await report([row(), row({ repetition: 2 }), row({ caseId: 'greets-by-name/r1' })]);
  expect(await problems(xml)).toEqual([]);
  expect([...xml.matchAll(/testcase name="([^"]*)"/g)].map((match) => match[1])).toEqual([
    'greets-by-name/r1',
    'greets-by-name/r2',
    'greets-by-name/r1/r1',
  ]);
});

test('the schema that these tests use rejects invalid reports', async () => {
  const xml = await report(rows);
  const both = xml.replace('<failure', '<error message="" type="x"/><failure');
  expect(await problems(both)).not.toEqual([]);
  expect(await problems(await report([row(), row()]))).not.toEqual([]);
});

test('a run without a trial is an empty document', async () => {
  const xml = await report([]);
  expect(xml).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n</testsuites>\n');
  expect(await problems(xml)).toEqual([]);
});

test('only the owner can read the file, and nothing else is left behind', async () => {
  await report(rows);
  expect(await readdir(directory)).toEqual(['junit.xml']);
  expect((await stat(join(directory, 'junit.xml'))).mode & 0o777).toBe(0o600);
});

test('a reader that fails leaves the report of before as it was', async () => {
  const before = await report(rows);
  const broken = {
    ...readerOf([]),
    rows: async function* () {
      yield row();
      throw new Error('unreadable');
    },
  };
  const sink = junit.create(servicesFor(directory, { reader: broken }));
  await expect(sink.close?.()).rejects.toThrow('unreadable');
  expect(await readdir(directory)).toEqual(['junit.xml']);
  expect(await readFile(join(directory, 'junit.xml'), 'utf8')).toBe(before);
});

test('testcases of interleaved suites stand in their own suite, however many there are', async () => {
  const many = Array.from({ length: 3000 }, (_, index) =>
    row({ caseId: `case ${index}`, target: `target ${index % 3}`, output: 'x'.repeat(200) }),
  );
  const xml = await report(many);
  const suites = xml.split('<testsuite ').slice(1);
  expect(suites.map((suite) => suite.match(/<testcase/g)?.length)).toEqual([1000, 1000, 1000]);
  for (const [index, suite] of suites.entries()) {
    const classes = [...suite.matchAll(/classname="[^"]*\[([^\]]*)\]"/g)].map((match) => match[1]);
    expect(new Set(classes)).toEqual(new Set([`target ${index}`]));
  }
});
