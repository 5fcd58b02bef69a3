import { describe, expect, test } from 'vitest';

import { load } from './project.fixture.ts';

function ids(loaded: Awaited<ReturnType<typeof load>>) {
  expect(loaded.problems).toEqual([]);
  return loaded.cases.map(({ id, source }) => [id, source?.file, source?.line]);
}

const line = (id: string) => `${JSON.stringify({ id, input: 'x', criteria: 'c' })}\n`;

describe('tests', () => {
  test('may be a path, relative to the suite or to the project root', async () => {
    const files = {
      'evals/a.yaml': 'tests: ./cases.yaml\n',
      'evals/b.yaml': 'tests: /shared/cases.jsonl\n',
      'evals/cases.yaml': '- {id: one, input: x, criteria: c}\n- id: two\n  input: x\n  criteria: c\n',
      'shared/cases.jsonl': `\ufeff${line('three')}\r\n${line('four')}`,
    };
    expect(ids(await load(files, { load: ['evals/a.yaml', 'evals/b.yaml'] }))).toEqual([
      ['one', 'evals/cases.yaml', 1],
      ['two', 'evals/cases.yaml', 2],
      ['three', 'shared/cases.jsonl', 1],
      ['four', 'shared/cases.jsonl', 3],
    ]);
  });

  test('may name files among them, whose globs are sorted and whose order is kept', async () => {
    const loaded = await load({
      'a.yaml': `tests:
  - {id: first, input: x, criteria: c}
  - file://more/*.{yaml,jsonl}
  - file:///more/c.csv
  - file://more/odd [1].yml
  - {id: last, input: x, criteria: c}
`,
      'more/b.yaml': 'tests:\n  - {id: b, input: x, criteria: c}\n',
      'more/a.jsonl': line('a'),
      'more/c.csv': 'id,input,criteria\nc,x,y\n',
      'more/odd [1].yml': '- {id: odd, input: x, criteria: c}\n',
    });
    expect(ids(loaded)).toEqual([
      ['first', 'a.yaml', 2],
      ['a', 'more/a.jsonl', 1],
      ['b', 'more/b.yaml', 2],
      ['c', 'more/c.csv', 2],
      ['odd', 'more/odd [1].yml', 1],
      ['last', 'a.yaml', 6],
    ]);
  });

  test('of other files belong to the folder of their file and to the suite', async () => {
    const loaded = await load({
      'a.yaml': 'tags: [suite]\ntests:\n  - {id: first, input: x, criteria: c}\n  - file://more/*\n',
      'more/b.yaml': '- {id: b, input: {role: user, content: [{type: file, value: own.txt}]}, criteria: c}\n',
      'more/c.csv': 'id,input,criteria\nc,x,y\n',
      'own.txt': '',
      'more/own.txt.yaml': '- {id: d, input: x, criteria: c}\n',
    });
    expect(loaded.problems).toEqual([
      'more/b.yaml:1:61  missing-file  file not found: own.txt  (write a path relative to this file)',
    ]);
    const fine = await load({
      'a.yaml': 'tags: [suite]\ntests:\n  - {id: first, input: x, criteria: c}\n  - file://more/*\n',
      'more/b.yaml': '- {id: b, input: x, criteria: c, tags: [own]}\n',
      'more/c.csv': 'id,input,criteria\nc,x,y\n',
    });
    expect(
      fine.cases.map(({ id, directory, tags }) => [id, directory.slice(fine.folder.length), tags]),
    ).toEqual([
      ['first', '', ['suite']],
      ['b', '/more', ['suite', 'own']],
      ['c', '/more', ['suite']],
    ]);
  });

  test('in missing or unreadable files are reported at the reference or in the file', async () => {
    const { problems } = await load({
      'a.yaml': `tests:
  - file://none/*.yaml
  - file://gone.yaml
  - file://read.md
  - file://list.yaml
  - file://suite.yaml
  - file://text.yaml
  - file://broken.yaml
  - file://empty.yaml
  - file://broken.jsonl
  - file://bad.csv
`,
      'read.md': 'x',
      'list.yaml': '- file://a.yaml\n- {id: a, input: x, criteria: c, nme: 1}\n',
      'suite.yaml': 'name: x\nx-mine: 1\ntests:\n  - {id: b, input: x, criteria: c}\n',
      'text.yaml': 'tests: ./list.yaml\n',
      'broken.yaml': '- id: "a\n',
      'empty.yaml': '',
      'broken.jsonl': `${line('c')}{"id": "d", "input"\n\n[]\n{"id": "e", "id": "f", "input": "x"}\n{"id": "g", "inputs": 1}\n`,
      'bad.csv': 'id,input,criteria,metadata.a\nh,x,y,z\ni,x,y,"z\n',
    });
    expect(problems).toEqual([
      'a.yaml:2:5  no-match  no file matches file://none/*.yaml  (write a path relative to this file)',
      'a.yaml:3:5  no-match  no file matches file://gone.yaml  (write a path relative to this file)',
      'a.yaml:4:5  unknown-format  unsupported file type read.md: tests can be in .yaml, .yml, .jsonl and .csv files',
      'list.yaml:1:3  wrong-type  a test file cannot refer to other files  (write the tests in this file, or refer to the other file from the suite)',
      'list.yaml:2:34  unknown-key  unknown key `nme`  (did you mean `name`?)',
      'suite.yaml:1:1  unknown-key  `name` is not allowed here: a test file can only contain `tests`  (move it to the suite file)',
      'text.yaml:1:1  wrong-type  expected a list of tests, or a mapping with `tests`',
      'broken.yaml:1:7  yaml-syntax  this quote is not closed  (close it with `"`)',
      'empty.yaml  empty-file  the file is empty  (a suite needs `tests`)',
      'broken.jsonl:2:20  json-syntax  the line ends in the middle of a JSON value',
      'broken.jsonl:4:1  wrong-type  expected a mapping, got a list',
      'broken.jsonl:5:13  duplicate-key  duplicate key "id"',
      'broken.jsonl:6:1  missing-key  `input` is missing',
      'broken.jsonl:6:13  unknown-key  unknown key `inputs`  (did you mean `input`?)',
      'bad.csv:3  csv-syntax  this quote is not closed  (close it with `"`; write a quote inside a quoted value twice)',
    ]);
  });
});

describe('a .jsonl suite', () => {
  test('takes its keys from the YAML file of the same name, whichever file is run', async () => {
    const files = {
      'big.eval.jsonl': line('a') + line('b'),
      'big.eval.yaml': 'name: Big\ntests: ./big.eval.jsonl\nassert: [{type: is_json}]\n',
      'alone.jsonl': line('c'),
    };
    const loaded = await load(files, { load: ['big.eval.yaml', 'big.eval.jsonl', 'alone.jsonl'] });
    expect(ids(loaded)).toEqual([
      ['a', 'big.eval.jsonl', 1],
      ['b', 'big.eval.jsonl', 2],
      ['c', 'alone.jsonl', 1],
    ]);
    expect(loaded.suites.map(({ id, name }) => [id, name])).toEqual([
      ['big.eval.jsonl', 'Big'],
      ['alone.jsonl', 'alone'],
    ]);
    expect(loaded.cases[0]?.expectations.map(({ name }) => name)).toEqual(['is_json']);
  });

  test('has problems reported in both files', async () => {
    const { problems } = await load(
      {
        'a.jsonl': '{"id": "a", "input": 5, "criteria": "c"}\n{"id"',
        'a.yaml': 'nme: x\ntests:\n  - {id: b}\n',
        'b.jsonl': line('a'),
        'b.yaml': '',
        'b.yml': 'name: x\n',
        'c.jsonl': '\n\n',
        'd.jsonl': line('a'),
        'd.yaml': '- x\n',
      },
      { load: ['a.jsonl', 'b.jsonl', 'c.jsonl', 'd.jsonl'] },
    );
    expect(problems).toEqual([
      'a.yaml:1:1  unknown-key  unknown key `nme`  (did you mean `name`?)',
      'a.yaml:2:1  conflict  `tests` is not allowed here: the tests are the lines of a.jsonl  (remove `tests` from this file)',
      'a.jsonl:1:22  wrong-type  input: expected a text or a mapping or a list, got 5  (put it in quotes)',
      'a.jsonl:2:6  json-syntax  the line ends in the middle of a JSON value',
      'b.yml  conflict  this .jsonl suite has two settings files, one .yaml and one .yml',
      'c.jsonl  empty-file  the file is empty  (a suite needs `tests`)',
      'd.yaml:1:1  wrong-type  expected a mapping with suite keys, such as `tests`',
    ]);
  });
});

describe('a .csv file', () => {
  test('has keys as columns, dotted ones nested, and texts as values', async () => {
    const { cases, problems, folder } = await load({
      'a.yaml': 'assert: [{type: contains, value: "{{ vars.name }}"}]\ntests: a.csv\n',
      'a.csv':
        '\ufeffid,input,vars.name,vars.empty,metadata.repo.url,criteria,expected_output\r\n' +
        'a,"two\r\nlines, {{ vars.name }}",7,,http://x,,42\r\n' +
        '\r\n' +
        'b,"say ""hi""",Ada,,,c,\r\n',
    });
    expect(problems).toEqual([]);
    expect(cases).toEqual([
      {
        id: 'a',
        source: { file: 'a.csv', line: 2 },
        directory: folder,
        tags: [],
        input: [{ role: 'user', parts: [{ text: 'two\r\nlines, 7' }] }],
        expectedOutput: [{ role: 'assistant', parts: [{ text: '42' }] }],
        vars: { name: '7', empty: '' },
        metadata: { repo: { url: 'http://x' } },
        expectations: [{ name: 'contains-7', type: 'contains', weight: 1, config: { value: '7' } }],
      },
      {
        id: 'b',
        source: { file: 'a.csv', line: 5 },
        directory: folder,
        tags: [],
        input: [{ role: 'user', parts: [{ text: 'say "hi"' }] }],
        criteria: 'c',
        vars: { name: 'Ada', empty: '' },
        metadata: { repo: { url: '' } },
        expectations: [{ name: 'contains-Ada', type: 'contains', weight: 1, config: { value: 'Ada' } }],
      },
    ]);
  });

  test.each([
    ['id,id\na,b\n', 'a.csv:1  duplicate-key  duplicate column `id`'],
    [
      'id,\na,b\n',
      'a.csv:1  invalid-value  the name of column 2 is empty, or has an empty part between two dots  (write a name such as `criteria` or `vars.city`)',
    ],
    [
      'id,vars,vars.x\na,b,c\n',
      'a.csv:1  invalid-value  the columns `vars` and `vars.x` contradict each other: `vars` cannot be both a text and a mapping  (remove or rename one of them)',
    ],
    [
      'id,input,criteria,nope\na,b,c,d\n',
      'a.csv:1  unknown-key  unknown column `nope`  (for other values, use `metadata.NAME` or `vars.NAME`)',
    ],
    [
      'id,input,criteria,tags\na,b,c,smoke\n',
      'a.csv:2  wrong-type  column `tags`: expected a list, but every value in a CSV file is a text  (put it on the suite, or write the tests as .jsonl)',
    ],
    [
      'id,input,criteria,limits.max_turns,expected_fail\na,b,c,3,true\n',
      'a.csv:2  wrong-type  column `limits.max_turns`: expected a number, but every value in a CSV file is a text  (put it on the suite, or write the tests as .jsonl)',
    ],
    [
      'id,input,criteria,metadata\na,b,c,d\n',
      'a.csv:2  wrong-type  column `metadata`: expected a mapping, but every value in a CSV file is a text  (name columns `metadata.KEY`)',
    ],
    [
      'id,input,criteria,expected_fail\na,b,c,true\n',
      'a.csv:2  wrong-type  column `expected_fail`: expected true or false, but every value in a CSV file is a text  (write the tests as .jsonl)',
    ],
    [
      'id,input,criteria\na,"x ""y""",c\nb,"open\nc,d,e\n\n',
      'a.csv:3  csv-syntax  this quote is not closed  (close it with `"`; write a quote inside a quoted value twice)',
    ],
    [
      'id,input\na,b "c"\n',
      'a.csv:2  csv-syntax  a quote inside a value that does not start with a quote  (put the whole value in quotes, and write quotes inside it twice: "like ""this"" one")',
    ],
    [
      'id,input\na,"b" c\n',
      'a.csv:2  csv-syntax  text after the closing quote of a value  (put the whole value in quotes, and write quotes inside it twice: "like ""this"" one")',
    ],
    [
      'id;input\na;b\n',
      'a.csv:1  unknown-key  unknown column `id;input`  (columns must be separated by commas)',
    ],
    [
      `id,input,metadata${'.a'.repeat(500)}\na,b,c\n`,
      'a.csv:1  too-deep  lists and mappings are nested more than 500 levels deep',
    ],
  ])('%j is reported', async (text, expected) => {
    expect((await load({ 'a.yaml': 'tests: a.csv\n', 'a.csv': text })).problems).toContain(expected);
  });

  test('reports every row that is longer or shorter than the first', async () => {
    const text = 'id,input,criteria\na,b\nb,Hello, you,c\nc,"x\ny",c\nd\n';
    const { problems } = await load({ 'a.yaml': 'tests: a.csv\n', 'a.csv': text });
    expect(problems).toEqual([
      'a.csv:2  csv-syntax  the row has 2 values, but the first row has 3 columns',
      'a.csv:3  csv-syntax  the row has 4 values, but the first row has 3 columns  (put a value with a comma in quotes)',
      'a.csv:6  csv-syntax  the row has 1 value, but the first row has 3 columns',
    ]);
  });
});
