import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import type { AttachedEntry } from '../../core/run.ts';
import { wholeEntry } from './attachments.ts';
import { scratch } from './fixtures/runs.ts';

const { run, clear } = scratch();
afterEach(clear);

const digest = 'a'.repeat(64);

test.each(['../run.json', '../outside', '/etc/hostname', digest.toUpperCase(), `${digest}/../${digest}`, ''])(
  'an attachment called %j is not read',
  (attachment) => {
    const { attachments } = run();
    mkdirSync(attachments);
    for (const file of [join(attachments, digest), join(attachments, '..', 'outside')]) {
      writeFileSync(file, '{"type":"message","role":"user","parts":[]}');
    }
    const entry = (name: string): AttachedEntry => {
      const place = { id: 'e1', at: '2026-01-01T00:00:00.000Z', turn: 1 };
      return { ...place, type: 'message', role: 'user', attachment: name, bytes: 1, start: '' };
    };
    expect(() => wholeEntry(entry(attachment), attachments)).toThrow(
      `the log refers to an invalid attachment: ${JSON.stringify(attachment)}`,
    );
    expect(wholeEntry(entry(digest), attachments)).toEqual({ type: 'message', role: 'user', parts: [] });
  },
);
