import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTAINS, questionOf, REGEX } from '../floors/cases.mjs';

/** Writes a suite of `cases` cases with two deterministic assertions each. Returns its path. */
export function writeSuite(folder, cases, more = '') {
  const file = join(folder, `cases-${cases}.eval.yaml`);
  const tests = Array.from({ length: cases }, (_, index) => testOf(index + 1));
  writeFileSync(file, `name: ${cases} cases\n${more}tests:\n${tests.join('')}`);
  return file;
}

/** Writes a suite of `cases` cases with a judge. Returns its path. */
export function writeJudgedSuite(folder, cases) {
  const file = join(folder, `judged-${cases}.eval.yaml`);
  const test = (number) => `  - id: case-${number}
    criteria: Says that the order was delivered, and when
    input: "${questionOf(number)}"
`;
  const tests = Array.from({ length: cases }, (_, index) => test(index + 1));
  writeFileSync(file, `name: ${cases} judged cases\ntests:\n${tests.join('')}`);
  return file;
}

/** Writes `cases` stored cases with a simulated user. Returns their path. */
export function writeConversations(folder, cases) {
  const file = join(folder, `talks-${cases}.jsonl`);
  const line = (number) =>
    JSON.stringify({
      name: `talk ${number}`,
      persona: {
        type: 'customer',
        description: `Customer number ${number}, who waits for a parcel and has many questions.`,
        instructions: 'Ask one short question after the other.',
      },
      initial_message: questionOf(number),
      user_context: { order: `ORD-${number}`, email: `customer-${number}@example.com` },
      max_turns: 6,
    });
  writeFileSync(file, Array.from({ length: cases }, (_, index) => `${line(index + 1)}\n`).join(''));
  return file;
}

/** Writes a folder with a config. Returns its path. */
export function writeProject(parent, name, targets) {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ targets }, undefined, 2));
  return folder;
}

/** Writes a shell program that answers in JSON and first runs `before`. */
export function writeProgram(folder, name, before = '') {
  const file = join(folder, name);
  const answer = JSON.stringify({ text: `Order ORD-1042 was ${CONTAINS}.` });
  writeFileSync(file, `read -r prompt\n${before}\nprintf '%s' '${answer}'\n`);
  return file;
}

/** The same in JavaScript, as small as possible. */
export function writeScript(folder, name) {
  const file = join(folder, name);
  const answer = JSON.stringify({ text: `Order ORD-1042 was ${CONTAINS}.` });
  writeFileSync(file, `process.stdin.resume().on('end', () => process.stdout.write('${answer}'));\n`);
  return file;
}

/** Writes 200 files of 1 KB in ten folders. */
export function writeTemplate(folder) {
  const template = join(folder, 'template');
  for (let group = 0; group < 10; group++) {
    mkdirSync(join(template, `src-${group}`), { recursive: true });
    for (let number = 0; number < 20; number++) {
      const text = `export const value${number} = ${group}; // line of a file like many others\n`.repeat(14);
      writeFileSync(join(template, `src-${group}`, `file-${number}.js`), text);
    }
  }
  return template;
}

function testOf(number) {
  return `  - id: case-${number}
    criteria: Says that the order was delivered, and when
    input: "${questionOf(number)}"
    assert:
      - type: contains
        value: ${CONTAINS}
      - type: regex
        value: ${REGEX}
`;
}
