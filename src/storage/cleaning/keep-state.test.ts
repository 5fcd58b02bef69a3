import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { createRedactor } from '../../lib/redact/redact.ts';
import { keepState } from './keep-state.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const redactor = createRedactor({ environment: { MY_TOKEN: 'secret-0123456789' }, names: [] });

test('what an agent keeps is copied without secrets, logins, links and caches', () => {
  const folder = folderOfTest('assay-state-');
  const source = join(folder, 'home');
  for (const [path, content] of Object.entries({
    'sessions/1.jsonl': '{"a":"secret-0123456789"}\n',
    'db/clean.db': Buffer.from([0, 1, 2, 255]),
    'db/dirty.db': Buffer.concat([Buffer.from([0, 255]), Buffer.from('secret-0123456789')]),
    '.codex/auth.json': '{}',
    '.gemini/oauth_creds.json': '{}',
    '.cache/big': 'x',
  })) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), content);
  }
  symlinkSync('/etc', join(source, 'link'));
  const target = join(folder, 'kept');
  expect(keepState(source, target, redactor)).toEqual(['db/dirty.db']);
  const files = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(files.toSorted()).toEqual(['1.jsonl', 'clean.db']);
  expect(readFileSync(join(target, 'sessions/1.jsonl'), 'utf8')).toBe('{"a":"[redacted:MY_TOKEN]"}\n');
  expect(statSync(join(target, 'sessions/1.jsonl')).mode & 0o777).toBe(0o600);
});
