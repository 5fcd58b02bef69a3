import { expect, test } from 'vitest';

import { objectAmong } from './export-session.ts';

test.each([
  ['nothing else', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['words around it', 'Exporting session: ses_1\n{"a":1}\nDone.\n', '{"a":1}'],
  ['braces in the words before it', 'Exporting {session}: {"a":"}"}', '{"a":"}"}'],
  ['an object that is cut off', 'Exporting\n{"a":{"b":1}', undefined],
  ['no object', 'no such session', undefined],
])('a session is found in %s', (_, printed, found) => {
  expect(objectAmong(printed)).toBe(found);
});
