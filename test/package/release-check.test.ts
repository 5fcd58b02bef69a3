import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { root } from '../docs/packed.ts';

const script = join(root, 'scripts/release-check.mjs');
const installed = join(inject('installed'), 'node_modules/assay');

interface Report {
  readonly files: number;
  readonly packedBytes: number;
  readonly installed: readonly Licensed[];
  readonly bundled: readonly Licensed[];
  readonly problems: readonly string[];
}

interface Licensed {
  readonly name: string;
  readonly license: string;
}

test('release:check reports the files, the size and the licences of the package that would be published', () => {
  const report = JSON.parse(
    execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8' }),
  ) as Report;
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const [, bundled] = /code of the following (\d+) packages/.exec(licences) ?? [];
  expect({ files: report.files, bundled: report.bundled.length, problems: report.problems }).toEqual({
    files: files.length,
    bundled: Number(bundled),
    problems: [],
  });
  expect(report.packedBytes).toBeGreaterThan(100_000);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: object;
  };
  const licensed = new Map(report.installed.map(({ name, license }) => [name, license]));
  const missing = Object.keys(dependencies).filter((name) => !licensed.has(name));
  expect({ missing, jiti: licensed.get('jiti'), yaml: licensed.get('yaml') }).toEqual({
    missing: [],
    jiti: 'MIT',
    yaml: 'ISC',
  });
});

test('release:check prints a line for each folder and each licence', () => {
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^assay \S+: \d+ files, [\d.]+ [kM]B packed, [\d.]+ [kM]B unpacked$/m);
  expect(stdout).toMatch(/^ {2}dist +\d+ files +[\d.]+ MB$/m);
  expect(stdout).toMatch(/^ {2}docs +\d+ files +[\d.]+ kB$/m);
  expect(stdout).toMatch(/^ {2}MIT: .*hono \d/m);
  expect(stdout).toMatch(/\nno problems\n$/);
});
