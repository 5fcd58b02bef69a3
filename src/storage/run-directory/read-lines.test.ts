import { writeFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';

import { all, scratch } from './fixtures/runs.ts';
import { readEvents, readLines, readRawLines } from './read-lines.ts';

const { run, clear } = scratch();
afterEach(clear);

const rawLinesOf = async (path: string): Promise<string[]> =>
  (await all(readRawLines(path))).flat().map((line) => line.toString('utf8'));
const linesOf = async (path: string): Promise<string[]> => (await all(readLines(path))).flat();

test('gives complete lines and leaves out what stands after the last newline', async () => {
  const { events } = run();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', ''))),
      async (lines) => {
        const text = lines.join('\n');
        writeFileSync(events, text);
        expect(await linesOf(events)).toEqual(lines.slice(0, -1));
        expect(await rawLinesOf(events)).toEqual(lines.slice(0, -1));
      },
    ),
    { numRuns: 50 },
  );
});

test('a line may be longer than what is read in one go, and cut in the middle of a character', async () => {
  const { events } = run();
  const long = `x${'漢'.repeat(300_000)}`;
  writeFileSync(events, `${long}\nshort\n${long}\n${long}`);
  expect(await linesOf(events)).toEqual([long, 'short', long]);
  expect(await rawLinesOf(events)).toEqual([long, 'short', long]);
});

test('a file that is not there has no lines; one that cannot be read is an error', async () => {
  const { events, directory } = run();
  expect(await linesOf(events)).toEqual([]);
  expect(await rawLinesOf(events)).toEqual([]);
  await expect(rawLinesOf(directory)).rejects.toThrow('EISDIR');
  await expect(linesOf(directory)).rejects.toThrow('EISDIR');
});

test('events come after a sequence number, and empty lines are ignored', async () => {
  const { events } = run();
  const event = (sequence: number) => ({ sequence, at: '', fact: { type: 'note', text: '' } });
  const [one, two, three] = [1, 2, 3].map((sequence) => JSON.stringify(event(sequence)));
  writeFileSync(events, `${one}\n\n${two}\n${three}\n`);
  expect(await all(readEvents(events, 1))).toEqual([event(2), event(3)]);
});

test.each(['{"x":1}', '1', 'null', '{"sequence":2}', '{"sequence":2,"fact":{}}', 'x'])(
  'a line that is no event is an error that names the log: %s',
  async (line) => {
    const { events } = run();
    writeFileSync(events, `${line}\n`);
    await expect(all(readEvents(events))).rejects.toMatchObject({
      code: 'run-unreadable',
      message: expect.stringContaining(`cannot read ${events}, line 1: `),
    });
  },
);
