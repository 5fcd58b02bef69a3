import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Grade } from '../../src/core/grade.ts';
import type { EventLog } from '../../src/core/log.ts';
import type { Attached, Emitted, Fact, Row, RunEvent } from '../../src/core/run.ts';
import type { TranscriptEntry } from '../../src/core/transcript.ts';
import { sha256 } from '../../src/lib/digest.ts';
import { createRedactor, type Redactor } from '../../src/lib/redact/redact.ts';

/** A log of one run, and what surrounds it. */
export interface LogTrial {
  readonly log: EventLog;
  /** The same log as a later process opens it; this one is not used any more. */
  reopen(): Promise<EventLog>;
  /** The text that stands under a digest. */
  attachment(digest: string): Promise<string>;
}

/** What every log keeps to. `open` makes the log of a new run, which hides what the redactor hides. */
export function eventLogContract(name: string, open: (redactor: Redactor) => Promise<LogTrial>): void {
  const opened = () => open(redactor);

  describe(`${name}, as an event log`, () => {
    test('numbers facts from 1 without gaps and gives the events back as they are kept', async () => {
      const { log } = await opened();
      expect(await eventsOf(log)).toEqual([]);
      const first = await log.append([note('a'), note('b')]);
      const second = await log.append([note('c')]);
      expect([...first, ...second]).toEqual([
        { sequence: 1, ...note('a') },
        { sequence: 2, ...note('b') },
        { sequence: 3, ...note('c') },
      ]);
      expect(await eventsOf(log)).toEqual([...first, ...second]);
    });

    test('no facts are no event', async () => {
      const { log } = await opened();
      expect(await log.append([])).toEqual([]);
      expect(await log.append([note('a')])).toEqual([{ sequence: 1, ...note('a') }]);
      expect(await eventsOf(log)).toHaveLength(1);
    });

    test('reads what came after a number', async () => {
      const { log } = await opened();
      await log.append(['a', 'b', 'c', 'd'].map(note));
      expect((await eventsOf(log, 2)).map(({ sequence }) => sequence)).toEqual([3, 4]);
      expect([await eventsOf(log, 4), await eventsOf(log, 9)]).toEqual([[], []]);
      expect(await eventsOf(log, 0)).toHaveLength(4);
    });

    test('keeps the order in which it was asked, also when nobody waits', async () => {
      const { log } = await opened();
      const texts = Array.from({ length: 50 }, (_, index) => `n${index}`);
      const answers = await Promise.all(texts.map((text) => log.append([note(text)])));
      expect(answers.flat().map(({ sequence }) => sequence)).toEqual(texts.map((_, index) => index + 1));
      expect((await eventsOf(log)).map(({ fact }) => fact)).toEqual(texts.map((text) => note(text).fact));
    });

    test('goes on numbering when it is opened again', async () => {
      const trial = await opened();
      await trial.log.append([note('a'), note('b')]);
      const later = await trial.reopen();
      expect(await later.append([note('c')])).toEqual([{ sequence: 3, ...note('c') }]);
      expect((await eventsOf(later)).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    });

    test('keeps every kind of fact with its trial and attempt, as it was told', async () => {
      const { log } = await opened();
      const kept = await log.append(EVERY_FACT);
      expect(kept).toEqual(EVERY_FACT.map((emitted, index) => ({ sequence: index + 1, ...emitted })));
      expect(await eventsOf(log)).toEqual(kept);
    });

    test('keeps the words of users and agents as they are', async () => {
      const { log } = await opened();
      await fc.assert(
        fc.asyncProperty(
          fc.jsonValue({ stringUnit: 'grapheme' }),
          fc.string({ unit: 'grapheme' }),
          async (output, text) => {
            const value = JSON.parse(JSON.stringify(output)) as TranscriptEntry & string;
            const [last] = await log.append([toolResult(value), note(text)]);
            const [entry, said] = await eventsOf(log, (last?.sequence ?? 0) - 1);
            expect(entry?.fact).toEqual(toolResult(value).fact);
            expect(said?.fact).toEqual({ type: 'note', text });
          },
        ),
        { numRuns: 30 },
      );
      const hostile = 'line\nline\r\n\u2028\u2029 "quoted" \\ {"sequence":9}';
      await log.append([note(hostile)]);
      expect((await eventsOf(log)).at(-1)?.fact).toEqual({ type: 'note', text: hostile });
    });

    test('puts entries above 64 KB aside, whole, and keeps their place and first characters', async () => {
      const { log, attachment } = await opened();
      for (const text of ['x'.repeat(70_000), '漢'.repeat(30_000), `${'"\n'.repeat(40_000)}`]) {
        const emitted = toolResult(text);
        const whole = JSON.stringify((emitted.fact as Fact & { entry: TranscriptEntry }).entry);
        const [kept] = await log.append([emitted]);
        const entry = attachedEntry(kept);
        expect(entry).toEqual({
          id: 'e1',
          at: AT,
          turn: 2,
          step: 3,
          type: 'tool-result',
          callId: 'c',
          attachment: sha256(whole),
          bytes: Buffer.byteLength(whole),
          start: whole.slice(0, entry.start.length),
        });
        expect(entry.start.length).toBeLessThan(5000);
        expect(await attachment(entry.attachment)).toBe(whole);
        expect((await eventsOf(log)).at(-1)).toEqual(kept);
      }
    });

    test('keeps entries of up to 64 KB in their place', async () => {
      const { log } = await opened();
      const emitted = toolResult('漢'.repeat(21_000));
      expect(await log.append([emitted])).toEqual([{ sequence: 1, ...emitted }]);
    });

    test('puts a long answer of a row aside', async () => {
      const { log, attachment } = await opened();
      const output = 'answer '.repeat(12_000);
      const [kept] = await log.append([trialEnd({ ...ROW, output })]);
      const row = rowOf(kept);
      const aside = row.output as Attached;
      expect(row).toEqual({ ...ROW, output: aside });
      expect(aside).toEqual({
        attachment: sha256(output),
        bytes: output.length,
        start: output.slice(0, aside.start.length),
      });
      expect(await attachment(aside.attachment)).toBe(output);
    });

    test('takes secrets out of everything it keeps and gives back', async () => {
      const trial = await opened();
      const told = EVERY_FACT.map((emitted) => withSecret(emitted));
      const kept = await trial.log.append(told);
      const large = await trial.log.append([
        toolResult(`${'x'.repeat(70_000)} ${SECRET}`),
        trialEnd({ ...ROW, output: `${'y'.repeat(70_000)}${SECRET}` }),
      ]);
      const aside = [attachedEntry(large[0]).attachment, (rowOf(large[1]).output as Attached).attachment];
      const attachments = await Promise.all(aside.map((digest) => trial.attachment(digest)));
      const everything = JSON.stringify([kept, large, await eventsOf(trial.log), attachments]);
      expect(JSON.stringify(told)).toContain(SECRET);
      expect(everything).not.toContain(SECRET);
      expect(everything).not.toContain(SECRET.slice(4, 20));
      expect(attachments.map((text) => text.includes('[redacted:SERVICE_TOKEN]'))).toEqual([true, true]);
      expect(kept.map(({ fact }) => fact.type)).toEqual(told.map(({ fact }) => fact.type));
    });

    test('can be read while it is written', async () => {
      const { log } = await opened();
      await log.append([note('a')]);
      const reading = log.read()[Symbol.asyncIterator]();
      expect((await reading.next()).value).toMatchObject({ sequence: 1 });
      await log.append([note('b')]);
      expect((await eventsOf(log)).map(({ sequence }) => sequence)).toEqual([1, 2]);
      await reading.return?.();
    });
  });
}

const AT = '2026-01-01T00:00:00.000Z';
const SECRET = 'k9-Zq7-secret-0a1b2c3d';
const redactor = createRedactor({ environment: { SERVICE_TOKEN: SECRET } });

const note = (text: string): Emitted => ({ at: AT, fact: { type: 'note', text } });

function toolResult(output: string): Emitted & { readonly fact: { readonly type: 'transcript-entry' } } {
  const entry = { id: 'e1', at: AT, turn: 2, step: 3, type: 'tool-result', callId: 'c', output } as const;
  return { at: AT, trial: 's/c/t/r1', attempt: 1, fact: { type: 'transcript-entry', entry } };
}

const GRADE: Grade = {
  name: 'fine',
  type: 'contains',
  score: 0.5,
  passed: false,
  weight: 1,
  required: 0.8,
  reason: 'no greeting',
  evidence: [{ text: 'hi', passed: false, turns: [1] }],
  details: { riskLevel: 'high', snake_case: null },
  durationMs: 3,
  costUsd: null,
  digest: 2,
};

const ROW: Row = {
  number: 1,
  suite: 's',
  caseId: 'c',
  target: 't',
  repetition: 1,
  attempts: [
    { durationMs: 5, error: { stage: 'target', kind: 'http-error', code: 'http-error', message: '503' } },
  ],
  verdict: 'failed',
  status: 'failed',
  passed: false,
  score: 0.5,
  threshold: 0.8,
  fallenGates: ['fine'],
  end: { by: 'script' },
  grades: [GRADE],
  output: 'hello',
  durationMs: 5,
  turns: 1,
  steps: 1,
  usage: { agent: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
  costUsd: { agent: 0, judge: null },
  tags: ['smoke'],
  digests: { case: 0, target: 1 },
  startedAt: AT,
  endedAt: AT,
};

const trialEnd = (row: Row): Emitted => ({
  at: AT,
  trial: 's/c/t/r1',
  attempt: 1,
  fact: { type: 'trial-end', row },
});

const place = { at: AT, trial: 's/c/t/r1', attempt: 1 };

/** One of each kind, in a sensible order. */
const EVERY_FACT: readonly Emitted[] = [
  {
    at: AT,
    fact: {
      type: 'run-start',
      formatVersion: 1,
      plan: { trials: 1, trialsByTarget: { t: 1 }, seed: 7 },
      digests: { config: 'c', suites: { s: 'd' }, targets: { t: 'e' } },
    },
  },
  { at: AT, trial: 's/c/t/r1', fact: { type: 'trial-start' } },
  { ...place, fact: { type: 'attempt-start' } },
  { ...toolResult('fine') },
  { ...place, fact: { type: 'model-usage', role: 'judge', model: 'm', costUsd: null } },
  { ...place, fact: { type: 'note', text: 'slow' } },
  { ...place, fact: { type: 'grade', grade: GRADE } },
  {
    ...place,
    fact: {
      type: 'attempt-end',
      durationMs: 5,
      error: { stage: 'target', kind: 'timeout', code: 'timeout', message: 'm' },
    },
  },
  trialEnd(ROW),
  { at: AT, fact: { type: 'run-state', state: 'interrupted', reason: 'Ctrl-C' } },
  { at: AT, fact: { type: 'run-resume', remaining: 1, dropped: ['s/c/t/r1'] } },
  { at: AT, fact: { type: 'sink-error', sink: 'junit', message: 'no space' } },
  { at: AT, fact: { type: 'run-end', state: 'completed' } },
];

/** The fact with the secret in every text that a person, an agent or a program wrote. */
function withSecret(emitted: Emitted): Emitted {
  const spoken = new Set(['text', 'reason', 'message', 'output', 'details', 'riskLevel']);
  const text = JSON.stringify(emitted, (key, value: unknown) =>
    spoken.has(key) && typeof value === 'string' ? `${value} ${SECRET}` : value,
  );
  return JSON.parse(text) as Emitted;
}

async function eventsOf(log: EventLog, after?: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of log.read(after)) events.push(event);
  return events;
}

function attachedEntry(event: RunEvent | undefined): TranscriptEntry & Attached {
  if (event?.fact.type !== 'transcript-entry' || !('attachment' in event.fact.entry)) {
    throw new Error('the entry stands in its place', { cause: event });
  }
  return event.fact.entry as TranscriptEntry & Attached;
}

function rowOf(event: RunEvent | undefined): Row {
  if (event?.fact.type !== 'trial-end') throw new Error('there is no row', { cause: event });
  return event.fact.row;
}
