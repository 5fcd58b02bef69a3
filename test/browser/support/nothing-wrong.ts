import { expect } from 'vitest';

const NOTHING = {
  complaints: [],
  violations: [],
  isWide: false,
  cut: [],
  made: 0,
  isRaw: false,
  title: expect.stringMatching(/ · assay$/) as string,
};

/** The findings of a page that is right in all looks. */
export const NOTHING_WRONG = { light: NOTHING, dark: NOTHING, phone: NOTHING };
