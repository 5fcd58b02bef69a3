// An empty embedded database, packed: to make one takes seconds, to unpack one does not. Made once per version of PGlite.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, inRoot } from './paths.mjs';

/** The path of the packed database; undefined where the optional package is not installed. */
export async function databaseTemplate() {
  const manifest = inRoot('node_modules/@electric-sql/pglite/package.json');
  if (!existsSync(manifest)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const file = join(cache, `database-template-${version}.tgz`);
  if (!existsSync(file)) await make(file);
  return file;
}

async function make(file) {
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create();
  const packed = await database.dumpDataDir('gzip');
  await database.close();
  mkdirSync(cache, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await packed.arrayBuffer()));
  renameSync(draft, file);
}
