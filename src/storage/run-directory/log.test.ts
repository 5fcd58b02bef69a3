import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { eventLogContract } from '../../../test/contracts/event-log.ts';
import { AssayError } from '../../core/errors.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { sha256 } from '../../lib/digest.ts';
import { given } from '../../lib/given.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { all, attemptOf, ended, note, nothingHidden, rowOf, scratch } from './fixtures/runs.ts';
import type { RunLog } from '../../core/log.ts';
import { openRunLog } from './log.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';

const { run, clear } = scratch();
const open: RunLog[] = [];

afterEach(() => {
  for (const log of open.splice(0)) log.abandon();
  clear();
});

function logOf(paths: RunPaths, lastSequence = 0, redaction = nothingHidden): RunLog {
  const log = openRunLog(paths, redaction, lastSequence);
  open.push(log);
  return log;
}

const rowsIn = ({ rows }: RunPaths): Row[] =>
  readFileSync(rows, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

const sequencesIn = async (path: string): Promise<number[]> =>
  (await all(readEvents(path))).map(({ sequence }) => sequence);

eventLogContract('a run directory', async (redactor) => {
  const paths = run();
  const log = logOf(paths, 0, redactor);
  return {
    log,
    reopen: async () => {
      log.close();
      const last = (await sequencesIn(paths.events)).at(-1) ?? 0;
      return logOf(paths, last, redactor);
    },
    attachment: async (digest) => readFileSync(join(paths.attachments, digest), 'utf8'),
  };
});

describe('the files of a log', () => {
  test('an event is on disk as one line when its append has resolved', async () => {
    const paths = run();
    const kept = await logOf(paths).append([note('a'), ended(rowOf('x'))]);
    const lines = readFileSync(paths.events, 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as RunEvent)).toEqual(kept);
  });

  test('a row is one line of results.jsonl, the same as in its event, soon after', async () => {
    const paths = run();
    const log = logOf(paths);
    await log.append([ended(rowOf('x')), note('a'), ended(rowOf('y', { output: 'é "quoted"\n' }))]);
    expect(rowsIn(paths)).toEqual([]);
    log.writeRows();
    expect(rowsIn(paths)).toEqual([rowOf('x'), rowOf('y', { output: 'é "quoted"\n' })]);
  });

  test('rows that wait are written within 50 ms, and by close', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const paths = run();
    const log = logOf(paths);
    await log.append([ended(rowOf('x'))]);
    vi.advanceTimersByTime(50);
    expect(rowsIn(paths)).toEqual([rowOf('x')]);
    await log.append([ended(rowOf('y'))]);
    log.close();
    expect(rowsIn(paths)).toEqual([rowOf('x'), rowOf('y')]);
  });

  test('close removes the directory of trials when they have left nothing behind', () => {
    const [empty, kept] = [run(), run()];
    mkdirSync(empty.trials);
    mkdirSync(join(kept.trials, 'case-1'), { recursive: true });
    for (const paths of [empty, kept]) logOf(paths).close();
    expect([existsSync(empty.trials), readdirSync(kept.trials)]).toEqual([false, ['case-1']]);
  });

  test('only the owner can read files with transcripts', async () => {
    const paths = run();
    const log = logOf(paths);
    await log.append([...attemptOf('x', 1, ['a'.repeat(70_000)]), ended(rowOf('x'))]);
    log.close();
    const [attachment = ''] = readdirSync(paths.attachments);
    const modes = [paths.events, paths.rows, paths.attachments, join(paths.attachments, attachment)].map(
      (path) => (statSync(path).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['600', '600', '700', '600']);
  });

  test('a secret is in no file', async () => {
    const paths = run();
    const secret = 'k9-Zq7-secret-0a1b2c3d';
    const redactor = createRedactor({ environment: { MY_API_KEY: secret } });
    const log = logOf(paths, 0, redactor);
    const large = `${'x'.repeat(70_000)}${secret}`;
    await log.append([
      note(`a ${secret}`),
      ...attemptOf('x', 1, [`b ${secret}`, large]),
      ended(rowOf('x', { output: large, notes: [`c "${secret}"`] })),
    ]);
    log.close();
    const files = [
      paths.events,
      paths.rows,
      ...readdirSync(paths.attachments).map((name) => join(paths.attachments, name)),
    ];
    expect(files.length).toBe(4);
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    expect(texts.map((text) => [text.includes(secret), text.includes('[redacted:MY_API_KEY]')])).toEqual(
      texts.map(() => [false, true]),
    );
  });

  test('a secret that equals a type, a verdict, an id or a path of ours rewrites none of them', async () => {
    const paths = run();
    const words = [
      'trial-end',
      'tool-result',
      'assistant',
      'tool-call',
      'transcript-entry',
      'the-case-id',
      'expected-grade',
    ];
    const environment = Object.fromEntries(words.map((word, index) => [`W${index}_KEY`, word]));
    const log = logOf(paths, 0, createRedactor({ environment: { ...environment, ROOT_KEY: '/kept/here' } }));
    const grade = {
      name: 'expected-grade',
      type: 'message',
      score: 1,
      passed: true,
      weight: 1,
      durationMs: 1,
    };
    const row = rowOf('the-case-id', {
      output: 'a trial-end',
      workspacePath: '/kept/here',
      notes: ['assistant'],
      grades: [
        {
          ...grade,
          reason: 'the-case-id',
          details: { 'tool-result': ['tool-result'] },
          members: [{ ...grade, reason: 'ok', evidence: [{ text: 'tool-call', passed: true }] }],
        },
      ],
    });
    const at = '2026-01-01T00:00:00.000Z';
    const place = { id: 'the-case-id', at, turn: 1 };
    const call = { type: 'tool-call', callId: 'trial-end', name: 'message', ...place } as const;
    const said = { type: 'message', role: 'assistant', ...place } as const;
    const kept = await log.append([
      {
        at,
        trial: 's/the-case-id/t/r1',
        fact: { type: 'transcript-entry', entry: { ...said, parts: [{ text: 'tool-result' }] } },
      },
      {
        at,
        trial: 's/the-case-id/t/r1',
        fact: {
          type: 'transcript-entry',
          entry: { ...call, input: { 'tool-call': 1 }, effects: [{ command: 'cd /kept/here' }] },
        },
      },
      ended(row),
    ]);
    const hidden = (word: string) => `[redacted:W${words.indexOf(word)}_KEY]`;
    const cleanRow: Row = {
      ...row,
      output: `a ${hidden('trial-end')}`,
      notes: [hidden('assistant')],
      grades: [
        {
          ...grade,
          reason: hidden('the-case-id'),
          details: { [hidden('tool-result')]: [hidden('tool-result')] },
          members: [{ ...grade, reason: 'ok', evidence: [{ text: hidden('tool-call'), passed: true }] }],
        },
      ],
    };
    expect(kept.map(({ fact }) => fact)).toEqual([
      { type: 'transcript-entry', entry: { ...said, parts: [{ text: hidden('tool-result') }] } },
      {
        type: 'transcript-entry',
        entry: {
          ...call,
          callId: hidden('trial-end'),
          input: { [hidden('tool-call')]: 1 },
          effects: [{ command: 'cd [redacted:ROOT_KEY]' }],
        },
      },
      { type: 'trial-end', row: cleanRow },
    ]);
    expect(kept.map(({ trial }) => trial)).toEqual([
      's/the-case-id/t/r1',
      's/the-case-id/t/r1',
      ended(row).trial,
    ]);
    log.close();
    expect(await all(readEvents(paths.events))).toEqual(kept);
    expect(rowsIn(paths)).toEqual([cleanRow]);
  });
});

describe('a process that died', () => {
  test('leaves an incomplete last line, which does not count as an event and is removed when the log is opened again', async () => {
    const paths = run();
    const log = logOf(paths);
    await log.append([note('a'), ended(rowOf('x'))]);
    log.close();
    appendFileSync(paths.events, '{"sequence":3,"at":"2026');
    appendFileSync(paths.rows, '{"suite":"s","caseId":"to');
    expect(await sequencesIn(paths.events)).toEqual([1, 2]);
    const later = logOf(paths, 2);
    await later.append([note('b')]);
    later.close();
    expect(await sequencesIn(paths.events)).toEqual([1, 2, 3]);
    expect(rowsIn(paths)).toEqual([rowOf('x')]);
  });

  test.each([
    ['without any newline', 'x'.repeat(200_000), ''],
    ['longer than what is looked at in one go', `{"sequence":1}\n${'x'.repeat(200_000)}`, '{"sequence":1}\n'],
    [
      'in the middle of a character',
      Buffer.concat([Buffer.from('{"sequence":1}\n"'), Buffer.from([0xe6, 0xbc])]),
      '{"sequence":1}\n',
    ],
    ['as zeros', Buffer.concat([Buffer.from('{"sequence":1}\n'), Buffer.alloc(100)]), '{"sequence":1}\n'],
    ['not at all', '{"sequence":1}\n', '{"sequence":1}\n'],
  ])('may have torn it %s', (_, left, kept) => {
    const paths = run();
    writeFileSync(paths.events, left);
    logOf(paths);
    expect(readFileSync(paths.events, 'utf8')).toBe(kept);
  });

  test('at any byte leaves a log that can be read and continued', async () => {
    const paths = run();
    const log = logOf(paths);
    await log.append([
      note('a'),
      ...attemptOf('x', 1, ['漢字 😀 "x"']),
      ended(rowOf('x')),
      note('\u2028 end'),
    ]);
    log.close();
    const whole = readFileSync(paths.events);
    const events = await all(readEvents(paths.events));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        const other = run();
        writeFileSync(other.events, whole.subarray(0, length));
        const complete = whole.subarray(0, length).toString('latin1').split('\n').length - 1;
        expect(await all(readEvents(other.events))).toEqual(events.slice(0, complete));
        const later = logOf(other, complete);
        await later.append([note('later')]);
        later.close();
        expect(await all(readEvents(other.events))).toEqual([
          ...events.slice(0, complete),
          { sequence: complete + 1, ...note('later') },
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test('while it wrote an attachment leaves a part, which does not pass for the whole', async () => {
    const paths = run();
    const output = 'answer '.repeat(12_000);
    mkdirSync(paths.attachments);
    writeFileSync(join(paths.attachments, sha256(output)), output.slice(0, 100));
    await logOf(paths).append([ended(rowOf('x', { output }))]);
    expect(readFileSync(join(paths.attachments, sha256(output)), 'utf8')).toBe(output);
  });
});

describe('a disk that is full', () => {
  const full = '/dev/full';
  const failure = async (log: RunLog): Promise<unknown> =>
    log.append([ended(rowOf('x'))]).then(
      () => undefined,
      (error: unknown) => error,
    );

  test.runIf(existsSync(full))(
    'rejects the append, says where and what to do, and leaves no row',
    async () => {
      const paths = run();
      const log = logOf({ ...paths, events: full });
      const error = await failure(log);
      expect(error).toBeInstanceOf(AssayError);
      expect(error).toMatchObject({
        code: 'results-not-written',
        stage: 'log',
        message: expect.stringMatching(/^cannot write \/dev\/full: ENOSPC/) as string,
        hint: 'free disk space or choose another folder with --out, then use assay resume',
      });
      log.writeRows();
      expect(rowsIn(paths)).toEqual([]);
    },
  );

  test.runIf(existsSync(full))('for rows alone shows at the next append or write', async () => {
    const log = logOf({ ...run(), rows: full });
    expect(await failure(log)).toBe(undefined);
    expect(() => log.writeRows()).toThrow('cannot write /dev/full: ENOSPC');
    const other = logOf({ ...run(), rows: full });
    expect(await failure(other)).toBe(undefined);
    await expect.poll(() => failure(other)).toMatchObject({ code: 'results-not-written' });
    expect(() => other.abandon()).not.toThrow();
  });

  test('an attachment that cannot be written keeps its event out of the log', async () => {
    const paths = run();
    writeFileSync(paths.attachments, 'a file, no folder');
    const log = logOf(paths);
    await expect(log.append(attemptOf('x', 1, ['y'.repeat(70_000)]))).rejects.toMatchObject({
      code: 'results-not-written',
    });
    expect(readFileSync(paths.events, 'utf8')).toBe('');
  });

  test('a log in an invalid place cannot be opened', () => {
    const paths = run();
    mkdirSync(paths.events);
    expect(() => logOf(paths)).toThrow(`cannot write ${paths.events}: EISDIR`);
  });

  test('a closed log writes nothing, least of all into a file that was opened since', async () => {
    const paths = run();
    const log = logOf(paths);
    log.close();
    log.close();
    const other = run();
    const later = logOf(other);
    await later.append([note('a')]);
    await expect(log.append([note('lost')])).rejects.toMatchObject({ code: 'results-not-written' });
    expect(await all(readEvents(other.events))).toHaveLength(1);
  });
});

describe('an event that cannot be made into JSON', () => {
  const endless: unknown[] = [];
  endless.push(endless);

  test('becomes an errored row, and the log continues', async () => {
    const paths = run();
    const log = logOf(paths);
    const spoilt = rowOf('x', { notes: endless as readonly string[] });
    const [first, second] = await log.append([ended({ ...spoilt, output: 'hi' }), ended(rowOf('y'))]);
    expect([first?.fact, second?.fact]).toMatchObject([
      {
        type: 'trial-end',
        row: { caseId: 'x', verdict: 'errored', passed: false, score: null, output: null },
      },
      { type: 'trial-end', row: rowOf('y') },
    ]);
    log.writeRows();
    expect(rowsIn(paths).map(({ caseId, verdict, error }) => [caseId, verdict, error?.kind])).toEqual([
      ['x', 'errored', 'contract'],
      ['y', 'passed', undefined],
    ]);
  });

  test('is a note anywhere else, and its trial is errored when it ends', async () => {
    const paths = run();
    const log = logOf(paths);
    const { trial } = ended(rowOf('x'));
    const entry = { id: 'e1', type: 'tool-result', callId: '1', output: 1n } as unknown as TranscriptEntry;
    const [kept] = await log.append([
      { ...note('a'), ...given({ trial }), fact: { type: 'transcript-entry', entry } },
    ]);
    expect(kept?.fact).toEqual({
      type: 'note',
      text: 'a transcript-entry could not be written as JSON: Do not know how to serialize a BigInt',
    });
    const [end, other] = await log.append([ended(rowOf('x')), ended(rowOf('y'))]);
    expect([end?.fact, other?.fact]).toMatchObject([
      { row: { caseId: 'x', verdict: 'errored', error: { stage: 'log', kind: 'contract' } } },
      { row: { caseId: 'y', verdict: 'passed' } },
    ]);
  });
});
