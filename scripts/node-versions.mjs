// Installs another version of Node.js below .cache and prints the path of its program.
//   node scripts/node-versions.mjs [24]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache } from './lib/paths.mjs';
import { capture, npm } from './lib/run.mjs';

const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @returns the path of the program. The first call installs it (about 190 MB, from npm). */
export async function nodeOf(major) {
  const folder = join(cache, `node${major}`);
  // In a separate folder, because next to our dependencies it would shadow `node` in every npm script.
  const program = join(folder, 'node_modules', packageName, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    `${packageName}@${major}`,
  ];
  const { code, output } = await capture(npm.command, [...npm.args, ...args], { cwd: folder });
  if (code !== 0 || !existsSync(program))
    throw new Error(`Node.js ${major} could not be installed:\n${output}`);
  return program;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(await nodeOf(process.argv[2] ?? '24'));
