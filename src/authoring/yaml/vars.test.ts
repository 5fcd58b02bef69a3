import { expect, test } from 'vitest';

import type { Fault } from './fault.ts';
import { fillEntry } from './vars.ts';

test('under config of an evaluator, filters are applied and unknown filters stay text', () => {
  const faults: Fault[] = [];
  const config = { known: '{{ vars.who | upper }}', other: '{{ vars.who | shout }}', none: '{{ x }}' };
  expect(fillEntry({ type: 'check', config }, { who: 'ann' }, (fault) => void faults.push(fault))).toEqual({
    type: 'check',
    config: { known: 'ANN', other: '{{ vars.who | shout }}', none: '{{ x }}' },
  });
  expect(faults).toEqual([]);
});

test('under config, a variable that the test does not have is an error, also before a filter', () => {
  const faults: Fault[] = [];
  const config = { text: '{{ vars.missing | upper }}' };
  fillEntry({ type: 'check', config }, { who: 'ann' }, (fault) => void faults.push(fault));
  expect(faults.map(({ code, path }) => [code, path])).toEqual([['unknown-var', ['config', 'text']]]);
});
