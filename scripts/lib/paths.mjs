import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Everything that may be thrown away: locks, staging folders, reports, other versions of Node. */
export const cache = join(root, '.cache');

export const inRoot = (...parts) => join(root, ...parts);
