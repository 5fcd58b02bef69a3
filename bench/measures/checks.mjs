import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { questionOf } from '../floors/cases.mjs';
import { writeProject } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

const TRIALS = 1000;
const FEW = 40;
/** By name: the checks of a case, besides one that is built in. */
const CHECKS = {
  none: '',
  javascript: '      - { type: javascript, value: "output.includes(\'Tuesday\')" }\n',
  python: '      - { type: python, value: "\'Tuesday\' in output" }\n',
  file: '      - { type: javascript, value: file://check.ts }\n',
  module: '      - { type: code_judge, script: ./grade.ts }\n',
};
/** The checks of trials by the program. */
const PROGRAM = ['none', 'file', 'module'];
const FILE = `export default (output: string): boolean => output.includes('Tuesday');\n`;
const MODULE = `export default ({ answer }: { answer: string }) => ({ score: answer.includes('Tuesday') ? 1 : 0 });\n`;

const ANSWER = 'Order ORD-1042 was delivered on Tuesday.';
const AGENT = `console.log(${JSON.stringify(ANSWER)});\n`;

/**
 * Checks in code compared with the same run without them: processor time and time of 1,000 trials and of 40, by a target
 * that needs no time, and by an agent that is a small program of Node.
 */
export async function checks({ runAssay, scratch, size }) {
  const targets = {
    bot: { type: 'mock', response: ANSWER },
    program: { type: 'cli', command: ['node', './agent.mjs'] },
  };
  const project = writeProject(scratch, 'checks', targets);
  writeFileSync(join(project, 'check.ts'), FILE);
  writeFileSync(join(project, 'grade.ts'), MODULE);
  writeFileSync(join(project, 'agent.mjs'), AGENT);
  // So that loaded modules are kept, as in a project that is used.
  mkdirSync(join(project, '.assay'));

  const suites = new Map(
    Object.keys(CHECKS).flatMap((name) =>
      [TRIALS, FEW].map((cases) => [`${name} ${cases}`, writeChecked(project, name, cases)]),
    ),
  );
  const run = (key, target) => async () => await runAssay(project, [suites.get(key), '--target', target]);
  const subjects = Object.fromEntries([
    ...[...suites.keys()].map((key) => [key, run(key, 'bot')]),
    ...PROGRAM.map((name) => [`${name} program`, run(`${name} ${FEW}`, 'program')]),
  ]);
  const found = await interleaved(size.rounds, subjects);
  const line = (name, { cases, what, of = '' }, budget) => {
    const values = (key) => found[`${key} ${of === '' ? cases : 'program'}`].map((each) => each[what]);
    return {
      name: `${what === 'cpuMs' ? 'processor time' : 'time'} of ${cases} trials${of} with a ${name} check; floor: without it`,
      value: median(values(name)),
      floor: median(values('none')),
      unit: 'ms',
      noise: noise(values(name)),
      ...(budget === undefined ? {} : { budget }),
    };
  };
  return {
    lines: [
      line('javascript', { cases: TRIALS, what: 'cpuMs' }, 1.2),
      line('javascript', { cases: TRIALS, what: 'wallMs' }, 1.2),
      line('python', { cases: TRIALS, what: 'wallMs' }),
      line('module', { cases: TRIALS, what: 'wallMs' }),
      line('javascript', { cases: FEW, what: 'wallMs' }, 1.2),
      line('file', { cases: FEW, what: 'cpuMs' }),
      line('file', { cases: FEW, what: 'wallMs' }, 1.2),
      line('module', { cases: FEW, what: 'cpuMs' }),
      line('module', { cases: FEW, what: 'wallMs' }, 1.2),
      line('file', { cases: FEW, what: 'wallMs', of: ' of a program' }, 1.2),
      line('module', { cases: FEW, what: 'wallMs', of: ' of a program' }, 1.2),
    ],
  };
}

function writeChecked(folder, name, cases) {
  const file = join(folder, `${name}-${cases}.eval.yaml`);
  const test = (number) => `  - id: case-${number}
    input: "${questionOf(number)}"
    assert:
      - { type: contains, value: Order }
${CHECKS[name]}`;
  const tests = Array.from({ length: cases }, (_, index) => test(index + 1));
  writeFileSync(file, `name: ${name} ${cases}\ntests:\n${tests.join('')}`);
  return file;
}
