import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of disposable files: locks, staging folders, reports, other versions of Node. */
export const cache = join(root, '.cache');

export const inRoot = (...parts) => join(root, ...parts);
