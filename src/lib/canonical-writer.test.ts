import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalWriter } from './canonical-writer.ts';
import { canonicalJson } from './json.ts';

test('writes the text of canonicalJson, also of members that come again and of those that changed', () => {
  const anyObject = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), anyObject), { maxLength: 6 }),
      (values) => {
        const write = canonicalWriter();
        const told = [...values, ...values, ...values.map((value) => ({ ...value, c: undefined }))];
        expect(told.map(write)).toEqual(told.map(canonicalJson));
      },
    ),
  );
});
