import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { isObject } from '../lib/json.ts';
import { makeDirectory } from '../lib/files/make-directory.ts';
import { jsonIn } from '../lib/text/json-in.ts';
import { isLockedHere, thisOwner } from '../storage/owner-lock.ts';

/** Tells commands in this folder where its server is. Gives what removes it. */
export function writeServerFile(folder: string, url: string): () => void {
  const file = fileIn(folder);
  makeDirectory(join(folder, '.assay'));
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ url, ...thisOwner() })}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => {
    // Another server may have taken its place.
    if (written(file)?.['pid'] === process.pid) rmSync(file, { force: true });
  };
}

/**
 * The address of the server of a folder, if its process lives on this machine. Anybody who can change the folder can
 * write the file, and the token is sent to its address: another machine is never one.
 */
export function serverOf(folder: string): string | undefined {
  const file = fileIn(folder);
  const url = written(file)?.['url'];
  return typeof url === 'string' && isLockedHere(file) && isOfThisMachine(url) ? url : undefined;
}

function isOfThisMachine(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
  const isOwn = /^127(?:\.\d{1,3}){3}$/.test(host) || ['localhost', '::1', ...own].includes(host);
  return protocol === 'http:' && isOwn;
}

function fileIn(folder: string): string {
  return join(folder, '.assay', 'server.json');
}

function written(file: string): Record<string, unknown> | undefined {
  try {
    const value = jsonIn(readFileSync(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
