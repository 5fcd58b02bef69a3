import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sha256 } from '../../lib/digest.ts';
import { ownPlace } from '../../lib/modules/own-file.ts';

/** One step of the schema. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** sha-256 of the SQL. */
  readonly checksum: string;
}

/** The migrations of this program, in order. */
export function ownMigrations(): readonly Migration[] {
  const folder = ownPlace('storage/database/migrations');
  if (folder === undefined)
    throw new Error('the migrations are missing from this installation: install assay again');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => migrationIn(folder, file));
}

function migrationIn(folder: string, file: string): Migration {
  const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
  return { number: Number.parseInt(file, 10), name: file.slice(5, -4), sql, checksum: sha256(sql) };
}
