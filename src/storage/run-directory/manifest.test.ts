import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

import { afterEach, expect, test } from 'vitest';

import { FORMAT_VERSION } from '../../core/run.ts';
import { sha256 } from '../../lib/digest.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { manifestOf, nothingHidden, scratch } from './fixtures/runs.ts';
import { readManifest, readManifestHead, writeManifest } from './manifest.ts';

const { run, clear } = scratch();
afterEach(clear);

test('a manifest comes back as it was written, for its owner alone, without a trace of its making', () => {
  const paths = run();
  writeManifest(paths, manifestOf({ state: 'running' }), nothingHidden);
  writeManifest(paths, manifestOf({ exitCode: 1, git: { commit: 'abc', dirty: true } }), nothingHidden);
  expect(readManifest(paths)).toEqual(manifestOf({ exitCode: 1, git: { commit: 'abc', dirty: true } }));
  expect(readdirSync(paths.directory)).toEqual(['run.json']);
  expect((statSync(paths.manifest).mode & 0o777).toString(8)).toBe('600');
});

test('one of a newer format is refused, not misread', () => {
  const paths = run();
  writeManifest(paths, manifestOf({ formatVersion: FORMAT_VERSION + 1 }), nothingHidden);
  expect(() => readManifest(paths)).toThrow(`${paths.directory} was written by a newer version of assay`);
});

test.each([
  ['is missing', undefined],
  ['is torn', '{"formatVersion": 1, "id'],
  ['is no manifest', 'null'],
  ['is empty', '{}'],
  ['lacks what readers need', '{"formatVersion": 1, "id": "x", "targets": {}}'],
])('one that %s says which file cannot be read', (_, text) => {
  const paths = run();
  if (text !== undefined) writeFileSync(paths.manifest, text);
  expect(() => readManifest(paths)).toThrow(`cannot read ${paths.manifest}: `);
  expect(() => readManifest(paths)).toThrow(expect.objectContaining({ code: 'run-unreadable' }));
});

test('one that cannot be written says that results could not be written', () => {
  const paths = run();
  mkdirSync(paths.manifest);
  expect(() => writeManifest(paths, manifestOf(), nothingHidden)).toThrow(`cannot write ${paths.manifest}: `);
});

test('secrets are taken out of arguments and target settings, and whatever they equal elsewhere stays', () => {
  const paths = run();
  const redactor = createRedactor({
    environment: {
      API_KEY: 'the-secret-value',
      HOME_KEY: '/home/somebody',
      WORD_KEY: 'running!',
      KIND_KEY: 'mock-agent',
    },
  });
  const target = { name: 'mock-agent', type: 'mock-agent', digest: 0 };
  const manifest = manifestOf({
    command: ['run', '--name=the-secret-value'],
    cwd: '/home/somebody',
    projectRoot: '/home/somebody',
    suites: [{ id: 'running!', name: 'running!', file: '/home/somebody/a.eval.yaml', cases: 1, digest: 'd' }],
    targets: [{ ...target, config: { type: 'mock-agent', 'mock-agent': ['x the-secret-value'] } }],
  });
  writeManifest(paths, manifest, redactor);
  expect(readManifest(paths)).toEqual({
    ...manifest,
    command: ['run', '--name=[redacted:API_KEY]'],
    targets: [{ ...target, config: { type: 'mock-agent', 'mock-agent': ['x [redacted:API_KEY]'] } }],
  });
});

test.each([0, 1, 4096, 10_000])('one of %i digests is written as one JSON text would be', (count) => {
  const paths = run();
  const redactor = createRedactor({ environment: { API_KEY: 'the-secret-value' } });
  const digests = Array.from({ length: count }, (_, number) => sha256(String(number)));
  const written = (list: readonly string[]) =>
    `${JSON.stringify(manifestOf({ digests: list }), undefined, 1)}\n`;
  writeManifest(paths, manifestOf({ digests }), redactor);
  expect(readFileSync(paths.manifest, 'utf8') === written(digests)).toBe(true);
  const odd = [...digests, 'the-secret-value'];
  writeManifest(paths, manifestOf({ digests: odd }), redactor);
  expect(readFileSync(paths.manifest, 'utf8') === written([...digests, '[redacted:API_KEY]'])).toBe(true);
});

test('a secret in an unknown field is removed, and settings stay unchanged', () => {
  const paths = run();
  const redactor = createRedactor({ environment: { API_KEY: 'the-secret-value' } });
  const settings = { options: { cases: ['the-secret-value'], deep: { 'the-secret-value': 1 } } };
  const unknown = {
    unknown: { deep: ['the-secret-value'] },
    git: { commit: 'a', dirty: true, by: 'the-secret-value' },
  };
  writeManifest(paths, { ...manifestOf({ settings }), ...unknown }, redactor);
  expect(readManifest(paths)).toEqual({
    ...manifestOf({ settings }),
    unknown: { deep: ['[redacted:API_KEY]'] },
    git: { commit: 'a', dirty: true, by: '[redacted:API_KEY]' },
  });
});

test.each([
  ['none', []],
  ['some', ['a', 'b']],
])('the head of one with %s is all of it but its digests', (_count, digests) => {
  const paths = run();
  const lying = 'x\n "digests": [\n ]';
  const config = { digests: ['c'], list: ['d'] };
  const targets = [{ name: 't', type: 'mock', config, digest: 0 }];
  const manifest = manifestOf({ digests, command: [lying], targets });
  writeManifest(paths, manifest, nothingHidden);
  const { digests: _, ...head } = manifest;
  expect(readManifestHead(paths)).toEqual(head);
});

test('the head of one that is written otherwise is read as well', () => {
  const paths = run();
  writeFileSync(paths.manifest, JSON.stringify(manifestOf({ digests: ['a'] })));
  expect(readManifestHead(paths)).toMatchObject({ id: manifestOf().id, state: 'completed' });
});
