import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { schemaText } from '../src/app/schema-text.ts';
import { graders } from '../src/graders/index.ts';
import { targets } from '../src/targets/index.ts';

const committed = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('generated files are those of the present source', () => {
  test('schema.json is the schema of evals', () => {
    expect(committed('schema.json')).toBe(schemaText('suite'));
  });

  test('config.schema.json is the schema of the config', () => {
    expect(committed('config.schema.json')).toBe(schemaText('config'));
  });

  test('every grader has its place in the reference', () => {
    expect(sections('docs/reference/graders.md')).toEqual(graders.map(({ type }) => type));
  });

  test('every target has its place in the reference', () => {
    expect(sections('docs/reference/targets.md')).toEqual(targets.map(({ type }) => type));
  });
});

describe('the example', () => {
  test('names schemas that are there', () => {
    const files = [
      'assay.config.yaml',
      'evals/support.eval.yaml',
      'evals/order-status.eval.yaml',
      'evals/clerk.eval.yaml',
    ].map((name) => `examples/quickstart/${name}`);
    const places = files.map(
      (file) => /^# yaml-language-server: \$schema=(.+)$/m.exec(committed(file))?.[1] ?? 'none',
    );
    expect(places).not.toContain('none');
    expect(
      files.filter(
        (file, index) => !existsSync(new URL(places[index] ?? '', new URL(`../${file}`, import.meta.url))),
      ),
    ).toEqual([]);
  });
});

function sections(page: string): readonly string[] {
  return [...committed(page).matchAll(/^## `([^`]+)`$/gm)].map(([, type = '']) => type);
}
