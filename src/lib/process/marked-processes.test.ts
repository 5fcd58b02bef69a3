import { expect, test } from 'vitest';
import { readPsListing } from './marked-processes.ts';

test('a listing of ps is read by whole entries, without the process that reads', () => {
  const listing = [
    '    1 /sbin/launchd',
    '   22 node agent.js PATH=/bin MARK=attempt-1',
    '  333 sh -c x MARK=attempt-10 HOME=/x',
    ' 4444 sleep 9 MARK=attempt-1 HOME=/x',
    `${process.pid} node MARK=attempt-1`,
    '',
  ].join('\n');
  const markers = ['MARK=attempt-1', 'MARK=none'].map((text) => ({ text, pid: 1, startedAtMs: 0 }));
  expect(readPsListing(listing, markers)).toEqual(
    new Map([
      ['MARK=attempt-1', [22, 4444]],
      ['MARK=none', []],
    ]),
  );
});
