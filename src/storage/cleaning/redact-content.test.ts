import { expect, test } from 'vitest';

import { createRedactor } from '../../lib/redact/redact.ts';
import { redactContent } from './redact-content.ts';

const redactor = createRedactor({
  environment: { API_KEY: 'größer als 8' },
  extraPatterns: [{ name: 'customer', pattern: /Müller\n\d+/ }],
});

test.each(['', '\0'])('patterns are looked for in the text of a file, over its lines, after %j', (before) => {
  const content = Buffer.from(`${before}Müller\n42, größer als 8`);
  const clean = Buffer.from(`${before}[redacted:customer], [redacted:API_KEY]`);
  expect(Buffer.from(redactContent(content, redactor))).toEqual(clean);
});
