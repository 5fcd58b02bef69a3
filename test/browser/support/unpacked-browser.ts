import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser. */
    browser: string;
  }
}

const root = join(import.meta.dirname, '../../..');

/**
 * Before the first test: unpacks the browser that comes as a package, once for all.
 * Test files that unpack it side by side start programs that are still being written.
 */
export function setup(project: TestProject): void {
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  const folder = join(root, '.cache', `chromium-${version}`);
  if (!existsSync(folder)) unpackTo(folder);
  project.provide('browser', join(folder, 'chromium'));
}

/** The package unpacks into the temporary folder, and takes what is there for whole. */
function unpackTo(folder: string): void {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const draft = mkdtempSync(`${folder}-draft-`);
  const unpack =
    "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: root,
    env: { ...process.env, TMPDIR: draft },
    stdio: 'inherit',
  });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run of the tests was faster.
    if (!existsSync(folder)) throw error;
  }
}
