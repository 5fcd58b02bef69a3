// Content hashes of the inputs of node_modules and dist, because file times are meaningless after a checkout.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';

const installStamp = inRoot('node_modules/.assay-setup');
const buildStamp = inRoot('dist/.stamp');

/** The inputs of dist, without tests, because a changed test needs no new build. */
const buildInputs = [
  'src',
  'web',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

const installHash = () => hashOf(['package-lock.json']);
export const buildHash = () => hashOf(buildInputs);

export const isInstalled = () => read(installStamp) === installHash();
export const isBuilt = () => read(buildStamp) === buildHash();

export const markInstalled = () => writeFileSync(installStamp, installHash());
/** @param hash hash of the inputs when the build began; later changes are not in dist */
export const markBuilt = (hash) => writeFileSync(buildStamp, hash);

function hashOf(names) {
  const hash = createHash('sha256');
  for (const file of names.flatMap(filesUnder)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesUnder(name) {
  if (!existsSync(inRoot(name))) return [];
  if (statSync(inRoot(name)).isFile()) return [name];
  return readdirSync(inRoot(name), { withFileTypes: true })
    .filter((entry) => entry.name !== 'fixtures' && !entry.name.endsWith('.test.ts'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(join(name, entry.name)) : [join(name, entry.name)],
    );
}

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
