// Copies a folder with assay's snapshot (a bundled module) or with `cp`, and prints the milliseconds.
//   node snapshot.mjs SOURCE DESTINATION [MODULE]
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [source, destination, module] = process.argv.slice(2);
const { copied } = module === undefined ? {} : await import(pathToFileURL(module).href);
mkdirSync(destination);
const startedAt = performance.now();
if (copied === undefined) spawnSync('cp', ['-a', `${source}/.`, destination]);
else await copied(source, destination);
console.log(performance.now() - startedAt);
rmSync(destination, { recursive: true });
