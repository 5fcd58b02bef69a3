import { createColors } from 'picocolors';

import type { Status } from '../../core/verdict.ts';

type Paint = (text: string) => string;

/** Colours by meaning. Errored means "not measured" and never looks like failed. */
export interface Palette {
  readonly status: Readonly<Record<Status, Paint>>;
  readonly strong: Paint;
  readonly faint: Paint;
  readonly command: Paint;
}

export function paletteFor(colour: boolean): Palette {
  const { green, red, yellow, dim, bold, cyan } = createColors(colour);
  return {
    status: {
      passed: green,
      failed: red,
      'unexpected-passed': red,
      'expected-failed': green,
      errored: yellow,
      skipped: dim,
      cancelled: dim,
    },
    strong: bold,
    faint: dim,
    command: cyan,
  };
}

/** A sign for each status, so that it can be read without colours. */
export const signs: Readonly<Record<Status, string>> = {
  passed: '✓',
  failed: '✗',
  'unexpected-passed': '✗',
  'expected-failed': '✓',
  errored: '!',
  skipped: '-',
  cancelled: '-',
};
