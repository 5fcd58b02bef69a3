import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRedactor, type Redactor } from './redact.ts';

const environment = {
  SUPPORT_KEY: 'support-key-1234',
  LONGER_TOKEN: 'support-key-1234-and-more',
  DB_PASSWORD: 'a"b\\c\nd é/ü?&=x',
  SHORT_SECRET: 'true',
  HOME: '/home/somebody',
  ACCOUNT: 'account-0001',
};
const redactor = createRedactor({ environment });

describe('secrets', () => {
  it('is found in a line of a log, however often it was JSON in JSON before', () => {
    let encoded = 'a"b\\c\nd é/ü?&=x';
    for (let times = 1; times <= 3; times++) {
      encoded = JSON.stringify({ value: encoded });
      expect(redactor.text(encoded)).toContain('[redacted:DB_PASSWORD]');
    }
  });

  it('replaces the values of variables with secret names, the longest first', () => {
    expect(redactor.text('a support-key-1234, b support-key-1234-and-more.')).toBe(
      'a [redacted:SUPPORT_KEY], b [redacted:LONGER_TOKEN].',
    );
  });

  it('leaves short values and variables of other names alone', () => {
    const text = 'true is at /home/somebody for account-0001';
    expect(redactor.text(text)).toBe(text);
  });

  it('takes names without regard to case, and those that are listed', () => {
    const listed = createRedactor({
      environment: { ...environment, my_api_key: '12345678' },
      names: ['ACCOUNT'],
    });
    expect(listed.text('12345678 1234567 account-0001')).toBe(
      '[redacted:my_api_key] 1234567 [redacted:ACCOUNT]',
    );
  });

  it('leaves what every process is given anyway, even when it is listed', () => {
    const listed = createRedactor({ environment, names: ['HOME', 'ACCOUNT'] });
    expect(listed.text('/home/somebody account-0001')).toBe('/home/somebody [redacted:ACCOUNT]');
  });

  it('names a value after the listed variable when two hold it', () => {
    const twice = createRedactor({ environment: { A_KEY: 'same-value', Z: 'same-value' }, names: ['Z'] });
    expect(twice.text('same-value')).toBe('[redacted:Z]');
  });

  it('hides a value that was set with white space around it, and each long line of one with several lines', () => {
    const pem =
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nshort\n-----END PRIVATE KEY-----\n';
    const lines = createRedactor({ environment: { SIGNING_KEY: pem, API_TOKEN: ' spaced-out \n' } });
    expect(lines.text(`${pem}|spaced-out|`)).toBe('[redacted:SIGNING_KEY]\n|[redacted:API_TOKEN]|');
    expect(lines.text('  MIIEvQIBADANBgkqhkiG9w0BAQEF\n-----BEGIN PRIVATE KEY-----')).toBe(
      '  [redacted:SIGNING_KEY]\n-----BEGIN PRIVATE KEY-----',
    );
  });

  it('takes literals of 8 characters or more, and a variable of the same value gives the name', () => {
    const literal = createRedactor({
      environment: { SUPPORT_KEY: 'support-key-1234' },
      literals: [
        { name: 'cookie', value: 'support-key-1234' },
        { name: 'x-api-key', value: 'from-the-config' },
        { name: 'short', value: '1234567' },
      ],
    });
    expect(literal.text('support-key-1234 from-the-config 1234567')).toBe(
      '[redacted:SUPPORT_KEY] [redacted:x-api-key] 1234567',
    );
  });

  it.each([0, 1, 2, 3])('hides a value in base64 behind %i other bytes', (before) => {
    const key = 'sk-test-0123456789';
    const { text } = createRedactor({ environment: { MY_KEY: key } });
    for (const after of ['', '\n', 'xy', '\u00e9\u00e9\u00e9']) {
      const bytes = Buffer.from(`${'q'.repeat(before)}${key}${after}`);
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = bytes.toString(encoding);
        const [left = '?', right = '?', ...more] = text(encoded).split('[redacted:MY_KEY]');
        expect(more).toEqual([]);
        // The remaining text shares at most a few bits with the secret.
        expect(left.length).toBeLessThanOrEqual(Math.ceil((before * 4) / 3));
        expect(right.length).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(after) * 4) / 3) + 4);
      }
    }
  });

  it('hides a value in base64 that ends where its text ends, including padding, and in lines of 76', () => {
    const { text } = createRedactor({ environment: { MY_KEY: 'sk-test-0123456789a' } });
    expect(text(`Basic ${Buffer.from('sk-test-0123456789a').toString('base64')}`)).toBe(
      'Basic [redacted:MY_KEY]',
    );
    const long = 'Zx9'.repeat(50);
    const wrapped = Buffer.from(`${long}\n`)
      .toString('base64')
      .replace(/.{76}/g, (line) => `${line}\n`);
    expect(createRedactor({ environment: { LONG_KEY: long } }).text(wrapped)).toMatch(
      /^\[redacted:LONG_KEY\]\n\[redacted:LONG_KEY\]\n\[redacted:LONG_KEY\]Cg==$/,
    );
  });

  it.each(['LE', 'BE'])('hides a value in UTF-16%s that was read as UTF-8', (order) => {
    const { text } = createRedactor({ environment: { MY_KEY: 'sk-test-0123' } });
    const bytes = Buffer.from('a sk-test-0123 b', 'utf16le');
    const read = (order === 'LE' ? bytes : bytes.swap16()).toString('utf8');
    const quoted = JSON.stringify(read);
    const plain = [text(read), text(quoted)].map((each) => each.replaceAll(/\0|\\u0000/g, ''));
    expect(plain).toEqual(['a [redacted:MY_KEY] b', '"a [redacted:MY_KEY] b"']);
    expect(text('a\0b')).toBe('a\0b');
  });

  it.each(['', '0', 'ab', 'é'])('hides a value in hexadecimal behind %j', (before) => {
    const { text } = createRedactor({ environment: { MY_KEY: 'sk-test-é-0123' } });
    const encoded = Buffer.from(`${before}sk-test-é-0123!`).toString('hex');
    const bytes = Buffer.from(before).toString('hex');
    expect([text(encoded), text(encoded.toUpperCase())]).toEqual([
      `${bytes}[redacted:MY_KEY]21`,
      `${bytes.toUpperCase()}[redacted:MY_KEY]21`,
    ]);
  });

  it('hides the matches of extra patterns, but no empty matches', () => {
    const extra = createRedactor({
      environment: {},
      extraPatterns: [
        { name: 'card', pattern: /\d{4}-\d{4}/ },
        { name: 'empty', pattern: /q*/g },
      ],
    });
    expect(extra.text('1234')).toBe('1234');
    expect(extra.text('1234-5678 and 8765-4321')).toBe('[redacted:card] and [redacted:card]');
  });

  it('is the address of a database, and its password by itself too', () => {
    const url = 'postgres://app:p%40ss%20word@db.test:5432/main';
    const ofDatabase = createRedactor({ environment: { DATABASE_URL: url } });
    expect(ofDatabase.text(`connect ${url}: password "p@ss word" (p%40ss%20word) of app@db.test`)).toBe(
      'connect [redacted:DATABASE_URL]: password "[redacted:DATABASE_URL]" ([redacted:DATABASE_URL]) of app@db.test',
    );
    const short = createRedactor({ environment: { DATABASE_URL: 'postgres://app:word@db.test/main' } });
    expect(short.text('a word')).toBe('a word');
  });
});

describe('keys known by their looks', () => {
  const random = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5hJ7';
  it.each([
    [`sk-ant-api03-${random}-${random}_AA`, 'anthropic-key'],
    [`sk-proj-${random}`, 'openai-key'],
    [`sk-${random}`, 'secret-key'],
    [`sk-or-v1-${random}`, 'secret-key'],
    ['sk-test-1234567890abcdef', 'secret-key'],
    [`ghp_${random}`, 'github-token'],
    [`gho_${random}`, 'github-token'],
    [`github_pat_${random}_x1`, 'github-token'],
    [`glpat-${random}`, 'gitlab-token'],
    ['AKIAIOSFODNN7EXAMPLE', 'aws-access-key'],
    [`AIza${random.slice(0, 35)}`, 'google-api-key'],
    ['xoxb-123456789012-abcDEF', 'slack-token'],
    [`sk_live_${random}`, 'stripe-key'],
    [`npm_${random.slice(0, 36)}`, 'npm-token'],
    [`hf_${random}`, 'hugging-face-token'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P', 'jwt'],
  ])('hides %s', (key, name) => {
    for (const [left, right] of [
      ['Bearer ', '\n'],
      ['"', '"'],
      ['key=', '&'],
      ['\\n', '\\n'],
      ['%3D', '%26'],
      ['\u001b[32m', '\u001b[0m'],
    ]) {
      expect(redactor.text(`${left}${key}${right}`)).toBe(`${left}[redacted:${name}]${right}`);
    }
    expect(redactor.text(JSON.stringify(`\n${key}\n`))).toBe(String.raw`"\n[redacted:${name}]\n"`);
  });

  it.each([
    'run the task-0123456789abcdef0123456789abcdef on disk-1234567890123456789012',
    'sk-learn and sk-internationalization-of-things and sk-some-long-kebab-name-v2-of-2024',
    'risk-assessment, AKIA, AIza, xoxb-, ghp_short, eyJ.eyJ.eyJ, npm_config_registry, hf_hub_download',
    'MAKIABCDEFGHIJKLMNOPQRSTUVWX',
  ])('leaves %s alone', (text) => {
    expect(redactor.text(text)).toBe(text);
  });
});

describe('json', () => {
  it('hides in texts and keys at every depth and leaves the rest as it is', () => {
    const rest = { list: [1, null, 'x'], date: new Date(0) };
    const value = {
      a: [{ 'x-support-key-1234': 'k support-key-1234' }],
      rest,
      ['__proto__']: 'support-key-1234',
    };
    const redacted = redactor.json(value);
    expect(redacted).toEqual({
      a: [{ 'x-[redacted:SUPPORT_KEY]': 'k [redacted:SUPPORT_KEY]' }],
      rest,
      ['__proto__']: '[redacted:SUPPORT_KEY]',
    });
    expect(redacted.rest).toBe(rest);
  });

  it('returns the same object when there is nothing to hide', () => {
    const value = { a: [{ b: 'nothing' }] };
    expect(redactor.json(value)).toBe(value);
  });
});

describe('stream', () => {
  it('passes on text that cannot become a secret at once', () => {
    const stream = redactor.stream();
    expect(stream.push('hello, ')).toBe('hello, ');
    expect(stream.push('support-key')).toBe('');
    expect(stream.push(' ')).toBe('support-key ');
    expect(stream.push('x support-key-1234 ')).toBe('x [redacted:SUPPORT_KEY] ');
    expect(stream.push('sk-ant-api03-0123')).toBe('');
    expect(stream.push('456789abcdef\n')).toBe('[redacted:anthropic-key]\n');
    expect(stream.end()).toBe('');
  });

  it('holds back at most some thousand characters of an endless word', () => {
    const stream = redactor.stream();
    expect(stream.push('a'.repeat(100_000))).toHaveLength(100_000 - 4096);
    expect(stream.end()).toHaveLength(4096);
  });

  it('finds an extra pattern within a line', () => {
    const stream = createRedactor({
      environment: {},
      extraPatterns: [{ name: 'p', pattern: /my pin is \d+/ }],
    }).stream();
    expect(stream.push('one\nmy pin')).toBe('one\n');
    expect(stream.push(' is 12')).toBe('');
    expect(stream.push('34\ntwo')).toBe('[redacted:p]\n');
    expect(stream.end()).toBe('two');
  });
});

describe('bytes', () => {
  it('finds secrets as UTF-8 between other bytes, in any chunks', () => {
    const bytesRedactor = createRedactor({ environment, literals: [{ name: 'é', value: 'größer als 8' }] });
    const around = [Buffer.from([0, 0xff, 0xfe]), Buffer.from([0xc3, 0])] as const;
    const whole = Buffer.concat([around[0], Buffer.from('größer als 8|support-key-1234'), around[1]]);
    const clean = Buffer.concat([around[0], Buffer.from('[redacted:é]|[redacted:SUPPORT_KEY]'), around[1]]);
    for (let cut = 0; cut <= whole.length; cut++) {
      const stream = bytesRedactor.bytes();
      const pieces = [stream.push(whole.subarray(0, cut)), stream.push(whole.subarray(cut)), stream.end()];
      expect(Buffer.concat(pieces)).toEqual(clean);
    }
  });
});

describe('properties', () => {
  // Without brackets and colon, so that no secret is made of the marks themselves.
  const secret = fc
    .string({ unit: fc.constantFrom(...'abAB01-_.%+"\\/ \n\tüé€😀{},&='), minLength: 8, maxLength: 24 })
    .filter((value) => value.trim().length >= 8);
  const filler = fc.string({ unit: fc.constantFrom(...'abAB01-_.%+"\\/ \n\tüé€sk'), maxLength: 12 });
  const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });
  const withText = secrets.chain((values) =>
    fc.record({
      values: fc.constant(values),
      pieces: fc.array(fc.oneof(filler, fc.constantFrom(...values, 'sk-ant-api03-0123456789', 'sk-ant-')), {
        maxLength: 8,
      }),
    }),
  );
  const redactorOf = (values: readonly string[]): Redactor =>
    createRedactor({ environment: Object.fromEntries(values.map((value, i) => [`K_${i}_TOKEN`, value])) });
  const survivors = (values: readonly string[], text: string): string[] =>
    values.map((value) => value.trim()).filter((value) => text.includes(value));

  it('no secret survives in text, plain or escaped', () => {
    fc.assert(
      fc.property(withText, ({ values, pieces }) => {
        const { text } = redactorOf(values);
        const whole = pieces.join('');
        expect(survivors(values, text(whole))).toEqual([]);
        for (const escape of [
          JSON.stringify,
          (s: string) => JSON.stringify(JSON.stringify(s)),
          encodeURIComponent,
        ]) {
          for (const value of values) {
            const escaped = escape(value.trim());
            expect(text(escaped)).not.toContain(escaped.replace(/^[\\"]+|[\\"]+$/g, ''));
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('no secret survives in json', () => {
    fc.assert(
      fc.property(withText, ({ values, pieces }) => {
        const whole = pieces.join('');
        const redacted = redactorOf(values).json({ deep: [{ [whole]: whole }], values });
        const texts = [
          ...redacted.values,
          ...redacted.deep.flatMap((object) => [...Object.keys(object), ...Object.values(object)]),
        ];
        expect(texts.flatMap((text) => survivors(values, text))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('the JSON of a value shows that it has a secret, in any escaping', () => {
    const escapes: readonly ((text: string) => string)[] = [
      (text) => text,
      JSON.stringify,
      (text) => JSON.stringify(JSON.stringify(JSON.stringify(text))),
      (text) => text.split('').join('\0'),
      (text) => text.split('').join(String.raw`\u0000`),
      encodeURIComponent,
    ];
    const key = fc.constantFrom(
      'sk-ant-api03-0123456789',
      `AKIA${'A1'.repeat(8)}`,
      'eyJ01234567.eyJ01234567.01234567',
    );
    fc.assert(
      fc.property(
        withText,
        key,
        fc.constantFrom(...escapes),
        fc.constantFrom('', '\n', '"', '\\n', '\u{1b}[31m'),
        ({ values, pieces }, known, escape, before) => {
          const whole = `${before}${escape([...pieces, known].join(before))}${before}`;
          for (const text of [whole, escape(pieces.join(''))]) {
            for (const value of [[text], { [text]: 1 }]) {
              const { json, mayTouch } = redactorOf(values);
              expect(json(value) === value || mayTouch(JSON.stringify(value))).toBe(true);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('with a lone surrogate in a secret, no JSON is known to be clean', () => {
    const { json, mayTouch } = createRedactor({
      environment: {},
      literals: [{ name: 'half', value: 'a"bcdefgh\ud83d' }],
    });
    const value = ['a"bcdefgh😀'];
    expect(json(value)).not.toEqual(value);
    expect(mayTouch(JSON.stringify(value))).toBe(true);
  });

  it('the JSON of a value without secrets is known to be clean', () => {
    expect(redactor.mayTouch(JSON.stringify({ text: 'nothing "to hide"\n', key: ['disk-usage'] }))).toBe(
      false,
    );
  });

  it('a stream gives the same result as the whole text, in any chunks', () => {
    fc.assert(
      fc.property(withText, fc.array(fc.nat(80), { maxLength: 12 }), ({ values, pieces }, cuts) => {
        const { text, stream } = redactorOf(values);
        const whole = pieces.join('');
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const pushed = stream();
        const out = places.slice(1).map((place, i) => pushed.push(whole.slice(places[i], place)));
        expect(out.join('') + pushed.end()).toBe(text(whole));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['LE', (text: string) => Buffer.from(text, 'utf16le')],
    ['BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])(
    'finds secrets as UTF-16%s at any place, however they are cut, and writes the mark like them',
    (_, wide) => {
      const bytesRedactor = createRedactor({ environment, literals: [{ name: 'é', value: 'größer als 8' }] });
      for (const before of ['', '\xff', 'key=', '\0\0\0']) {
        const around = [Buffer.from(before, 'latin1'), Buffer.from('support-key-1234')] as const;
        const whole = Buffer.concat([around[0], wide('größer als 8|support-key-1234é'), around[1]]);
        const clean = Buffer.concat([
          around[0],
          wide('[redacted:é]|[redacted:SUPPORT_KEY]é'),
          Buffer.from('[redacted:SUPPORT_KEY]'),
        ]);
        for (let cut = 0; cut <= whole.length; cut++) {
          const stream = bytesRedactor.bytes();
          const pieces = [
            stream.push(whole.subarray(0, cut)),
            stream.push(whole.subarray(cut)),
            stream.end(),
          ];
          expect(Buffer.concat(pieces)).toEqual(clean);
        }
      }
    },
  );

  it.each([
    ['LE', (text: string) => Buffer.from(text, 'utf16le')],
    ['BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('finds keys by their looks as UTF-16%s at any place, however they are cut', (_, wide) => {
    const keyless = createRedactor({ environment: {} });
    const key = `ghp_${'a1B2c3D4e5'.repeat(3)}`;
    for (const [before, behind] of [
      ['', ''],
      ['\xff', 'ab'],
      ['key=', '\0'],
    ] as const) {
      const around = (text: string) =>
        Buffer.concat([Buffer.from(before, 'latin1'), wide(text), Buffer.from(behind)]);
      const whole = around(`a ${key} disk-usage-of-partition-12345678 ü`);
      const clean = around('a [redacted:github-token] disk-usage-of-partition-12345678 ü');
      for (let cut = 0; cut <= whole.length; cut++) {
        const stream = keyless.bytes();
        const pieces = [stream.push(whole.subarray(0, cut)), stream.push(whole.subarray(cut)), stream.end()];
        expect(Buffer.concat(pieces)).toEqual(clean);
      }
    }
  });
});
