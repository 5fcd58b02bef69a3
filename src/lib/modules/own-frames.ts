import { dirname, sep } from 'node:path';

import { ownFile } from './own-file.ts';

/** The stack of an error without frames of assay, its loader and Node, which do not help the author. */
export function withoutOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || !NOT_THE_AUTHORS.some((place) => line.includes(place)))
    .join('\n');
}

const OWN = ownFile('index');
const NOT_THE_AUTHORS = [
  ...(OWN === undefined ? [] : [dirname(OWN) + sep]),
  'node:internal/',
  `node_modules${sep}jiti${sep}`,
];
