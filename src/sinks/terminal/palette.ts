import { createColors } from 'picocolors';

import type { Status } from '../../core/verdict.ts';

type Paint = (text: string) => string;

/** Colours by meaning. Errored is not measured: it never looks like failed. */
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

/** A sign beside a status, so that colour is never needed to read it. */
export const signs: Readonly<Record<Status, string>> = {
  passed: '✓',
  failed: '✗',
  'unexpected-passed': '✗',
  'expected-failed': '✓',
  errored: '!',
  skipped: '-',
  cancelled: '-',
};
