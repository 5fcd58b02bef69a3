import { expect, test } from 'vitest';

import { crowdWithin } from './open-files.ts';

const programs = [{ plugin: { openFiles: 8 } }];
const services = [{ plugin: {} }];

test('as many trials run at once as may open their files', () => {
  expect(crowdWithin(400, programs, 256)).toEqual({
    concurrency: 24,
    note: '24 parallel trials instead of 400, because the system allows only 256 open files (raise it with `ulimit -n`)',
  });
  expect(crowdWithin(400, services, 256).concurrency).toBe(96);
  expect(crowdWithin(400, [...services, ...programs], 256).concurrency).toBe(24);
});

test('one runs where there is hardly room for any, and all where there is room for all', () => {
  expect(crowdWithin(400, programs, 20).concurrency).toBe(1);
  expect(crowdWithin(400, programs, 4096)).toEqual({ concurrency: 400 });
  expect(crowdWithin(400, programs, Infinity)).toEqual({ concurrency: 400 });
});
