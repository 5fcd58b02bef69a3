import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture, npm } from '../lib/run.mjs';
import { cache } from '../lib/paths.mjs';

/**
 * Installs an npm package in its own folder, once. Resolves to the folder of its programs, or to the reason of a failure.
 * `below`: path of its programs below node_modules.
 */
export async function installed(spec, below = '.bin') {
  const folder = join(cache, 'agents', spec.replaceAll(/[^\w.-]+/g, '_'));
  const programs = join(folder, 'node_modules', below);
  const done = join(folder, 'installed');
  if (existsSync(done)) return { programs };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = [...npm.args, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--save-exact', spec];
  const { code, output } = await capture(npm.command, args, { cwd: folder });
  if (code !== 0) return { missing: output.trim().split('\n').slice(-3).join(' ') };
  writeFileSync(done, '');
  return { programs };
}

export function withPath(folders, path = process.env.PATH ?? '') {
  return [...folders, path].join(delimiter);
}
