import { expect, test } from 'vitest';

import { load } from './project.fixture.ts';

const CONTAINS = '[{ type: contains, value: a }]';

test.each<[string, string, string]>([
  ['a test lists', '', `assert: ${CONTAINS}`],
  ['a test lists under execution', '', `execution: { evaluators: ${CONTAINS} }`],
  ['a test writes as text', '', 'assert: [it is polite]'],
  ['a test has as rubrics', '', 'rubrics: [it is polite]'],
  ['a turn lists', '', `turns: [{ input: hi, assert: ${CONTAINS} }]`],
  ['stands inside another', '', `assert: [{ type: composite, assert: ${CONTAINS} }]`],
  ['the suite lists', `assert: ${CONTAINS}`, ''],
  ['the suite lists under execution', `execution: { evaluators: ${CONTAINS} }`, ''],
  ['stands for none', '', ''],
  ['stands for an empty list', 'assert: []', 'assert: []'],
  ['stands for those that a test leaves out', `assert: ${CONTAINS}`, 'execution: { skip_defaults: true }'],
  ['a var names', 'vars: { kind: contains }', "assert: [{ type: '{{ vars.kind }}', value: a }]"],
])('a grader is loaded that %s', async (_, suite, written) => {
  const input = written.startsWith('turns') ? '' : 'input: hi, ';
  const more = written === '' ? '' : `, ${written}`;
  const yaml = `${suite}\ntests:\n  - { id: a, ${input}criteria: it is a greeting${more} }\n`;
  const { problems, cases } = await load({ 'a.yaml': yaml });
  expect([problems, cases.map(({ expectations }) => expectations.length)]).toEqual([[], [1]]);
});
