import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import type { RunReader } from '../../core/log.ts';
import type { Transcript } from '../../core/transcript.ts';
import { trialKey } from '../../core/trial.ts';
import {
  grade,
  manifest,
  notesOf,
  readerOf,
  row,
  rows,
  sampleReader,
  servicesFor,
  transcript,
} from '../fixtures/sample-run.ts';
import type { OutputFile } from '../output-file.ts';
import { html } from './html.ts';
import { markup } from './markup.ts';
import { writePage } from './page.ts';
import { transcriptSection } from './transcript.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = folderOfTest('assay-html-');
});

async function report(reader: RunReader): Promise<string> {
  const sink = html.create(servicesFor(directory, { reader }));
  await sink.close?.();
  return readFile(join(directory, 'report.html'), 'utf8');
}

async function pageOf(reader: RunReader, limits: { trials: number; transcripts: number }): Promise<string> {
  const pieces: string[] = [];
  const file: OutputFile = { write: async (text) => void pieces.push(text) };
  await writePage(reader, file, limits);
  return pieces.join('');
}

/** What the page says, without its markup. */
function textOf(page: string): string {
  return page
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Names of the elements of a page, each once. */
function elementsOf(page: string): readonly string[] {
  return [...new Set([...page.matchAll(/<([a-z][a-z0-9]*)/g)].map((match) => match[1] ?? ''))].sort();
}

const hostile = `</script></style></details><script>x</script><img src=x onerror=x>"'&\u202e\u0000\ud800`;
const hostileTranscript: Transcript = transcript.map((entry) =>
  entry.type === 'message' ? { ...entry, parts: [{ text: hostile }] } : entry,
);
const hostileReader = readerOf(
  [
    row({
      caseId: hostile,
      suite: hostile,
      target: hostile,
      verdict: 'failed',
      score: 0,
      tags: [hostile],
      notes: [hostile],
      artifactDir: hostile,
      fallenGates: [hostile],
      grades: [
        grade(hostile, {
          type: hostile,
          score: 0,
          passed: false,
          reason: hostile,
          evidence: [{ text: hostile, passed: false }],
          members: [grade(hostile)],
        }),
      ],
    }),
  ],
  new Map([
    [trialKey({ suite: hostile, caseId: hostile, target: hostile, repetition: 1 }), hostileTranscript],
  ]),
);

const harmless = readerOf([...rows, row({ tags: ['slow'] })], new Map([[trialKey(row()), transcript]]));
const ours = elementsOf(await pageOf(harmless, { trials: 9, transcripts: 9 }));

test('the page needs nothing but itself: no script, and a policy that forbids everything but its own style', async () => {
  const page = await report(sampleReader);
  const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
  const digest = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|\shref=|\ssrc=|url\(|@import/);
});

test('what no row tells stands below the targets, the first of it and how much more', async () => {
  const noted = [hostile, ...Array.from({ length: 21 }, (_, index) => `note ${index}`)];
  const page = await report({ ...readerOf([row()]), runEvents: () => notesOf(noted) });
  expect(page).not.toContain('<script>x');
  expect(textOf(page)).toMatch(
    /support-bot .* Warnings .* note 18 and 2 warnings more, in events\.jsonl Trials/,
  );
});

test('what failed or errored comes first, with the reasons', async () => {
  const page = await report(sampleReader);
  const names = [...page.matchAll(/class="case">([^<]*)/g)].map((match) => match[1]);
  expect(names).toEqual([
    'refund-after-30-days',
    'long-conversation',
    'fixed-meanwhile',
    'greets-by-name',
    'known-gap',
    'not-written-yet',
    'greets-by-name',
  ]);
  const text = textOf(page);
  expect(text).toContain(
    '2 passed, 2 failed (1 passed unexpectedly), 1 errored, 1 skipped (1 draft), 1 failed as expected Refunds (evals/refunds.eval.yaml)',
  );
  expect(text).toContain('support-bot 33.3 % 1/3 passed, 95 % interval [6.1, 79.2]');
  expect(text).toContain(
    'failed (required) no-refund llm-judge 0, needs 1 The answer promises a refund after the deadline.',
  );
  expect(text).toContain('Does not hold: says &quot;I have refunded your order&quot; (turn 1)');
  expect(text).toContain('Not measured : timeout (target) No answer within 60 s. What to do: Raise limits');
  expect(text).toContain('Attempt 1: target-unavailable (target): connect ECONNREFUSED, 100 ms');
  expect(text).toContain('Tool call find_order');
  expect(text).toContain('cost unknown');
});

test('a skipped trial shows its reason, and a failure by the mean score shows its parts', async () => {
  const reader = readerOf([
    row({ verdict: 'skipped', skipped: 'skip', notes: ['the shop has not decided'] }),
    row({ verdict: 'failed', score: 0.85, threshold: 0.9, grades: [grade('close', { score: 0.85 })] }),
  ]);
  const text = textOf(await pageOf(reader, { trials: 9, transcripts: 0 }));
  expect(text).toContain('skip: the shop has not decided');
  expect(text).toContain('score 0.85 is the weighted mean of: close 0.85 (weight 1); needs 0.9');
});

test('hostile text is shown as text and adds no element', async () => {
  const page = await report(hostileReader);
  expect(elementsOf(page).filter((name) => !ours.includes(name))).toEqual([]);
  expect(page.match(/<details/g)?.length).toBe(page.match(/<\/details>/g)?.length);
  expect(page).toContain(String.raw`&lt;img src=x onerror=x&gt;&quot;&#39;&amp;\u{202e}\u{0}\u{d800}`);
  expect(page).not.toMatch(/\u202e|\ufffd/);
});

test('the page is well-formed, so that no text ends an element early', async () => {
  for (const reader of [sampleReader, hostileReader]) {
    const page = await pageOf(reader, { trials: 100, transcripts: 100 });
    const xml = page.replace('<!doctype html>', '').replace(/<(meta|br)\b([^>]*)>/g, '<$1$2/>');
    const { errors } = await validateXML({ xml, schema: anything });
    expect(errors.map((error) => error.message)).toEqual([]);
  }
});

const anything =
  '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="html"><xs:complexType><xs:sequence>' +
  '<xs:any processContents="skip" maxOccurs="unbounded"/></xs:sequence><xs:anyAttribute processContents="skip"/>' +
  '</xs:complexType></xs:element></xs:schema>';

test('a megabyte in one line is cut, and the page says how much is missing', () => {
  const long: Transcript = [
    { ...transcript[0]!, type: 'message', role: 'user', parts: [{ text: 'x'.repeat(1_000_000) }] },
  ];
  const { html: page } = transcriptSection(long);
  expect(page.length).toBeLessThan(25_000);
  expect(page).toContain('… 980,000 more characters');
});

test('a very long transcript is cut, and the page says where the rest is', () => {
  const long: Transcript = Array.from({ length: 50 }, (_, index) => ({
    ...transcript[0]!,
    id: `e${index}`,
    type: 'message',
    role: 'user',
    parts: [{ text: 'x'.repeat(10_000) }],
  }));
  const { html: page } = transcriptSection(long);
  expect(page.length).toBeLessThan(130_000);
  expect(page).toContain('40 more entries are in events.jsonl.');
});

test('a large run shows a bounded number of trials and transcripts, the failed ones first, and says so', async () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    row({
      caseId: `c${index}`,
      verdict: index % 8 === 7 ? 'failed' : 'passed',
      score: index % 8 === 7 ? 0 : 1,
    }),
  );
  const asked: number[] = [];
  const reader: RunReader = {
    ...readerOf(many),
    transcripts: async (keys) => {
      asked.push(keys.size);
      return new Map([...keys].map((key) => [key, transcript]));
    },
  };
  const page = await pageOf(reader, { trials: 12, transcripts: 7 });
  expect([...page.matchAll(/class="case">([^<]*)/g)].map((match) => match[1])).toEqual(
    ['c7', 'c15', 'c23', 'c31', 'c39'].concat(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']),
  );
  expect(page.match(/<ol class="transcript">/g)).toHaveLength(7);
  expect(asked).toEqual([5, 2]);
  expect(textOf(page)).toContain(
    '35 trials, transcripts for the first 2 only; all transcripts are in events.jsonl. The first 7 are listed; all are in results.jsonl.',
  );
});

test('a run that did not finish says how many trials are left and how to go on', async () => {
  const reader: RunReader = {
    ...sampleReader,
    manifest: async () => ({ ...manifest, trials: 9, state: 'interrupted' }),
  };
  expect(textOf(await report(reader))).toContain(
    'The run was interrupted: 2 of 9 trials have no outcome yet. assay resume 20260301T101500Z-abc234 runs them.',
  );
});

test('a run without a trial is a page too', async () => {
  expect(textOf(await report(readerOf([])))).toContain('No trial has an outcome');
});

test('only the owner can read the file', async () => {
  await report(sampleReader);
  expect((await stat(join(directory, 'report.html'))).mode & 0o777).toBe(0o600);
});

test('a template escapes every value that is not markup', () => {
  const inner = markup`<b>${'<i>'}</b>`;
  expect(markup`<p title="${'"'}">${inner}${[inner, inner]}${undefined}${3}</p>`.html).toBe(
    '<p title="&quot;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>3</p>',
  );
});

test('a trial whose judge was to be steered is flagged in its head, and counted among the warnings', async () => {
  const sly = row({ caseId: 'sly', grades: [grade('polite', { details: { injection: true } })] });
  const flag = 'judges report that the answer tries to influence their verdict: polite';
  const page = await report(readerOf([row(), sly]));
  expect(page).toContain(`<span class="why">${flag}</span></summary>`);
  expect(textOf(page)).toContain(`Warnings 1 trial: ${flag} (sly)`);
  expect(await report(readerOf([row()]))).not.toContain('steer');
});
