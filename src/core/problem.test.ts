import { expect, test } from 'vitest';

import { AuthoringError, formatProblem } from './problem.ts';

const problem = { file: 'a.eval.yaml', code: 'unknown-key', message: 'unknown key "inptu"' } as const;

test('a problem is one line that an editor can jump to', () => {
  expect(formatProblem({ ...problem, line: 8, column: 15, hint: 'input?' })).toBe(
    'a.eval.yaml:8:15  unknown-key  unknown key "inptu"  (input?)',
  );
  expect(formatProblem({ ...problem, line: 8 })).toBe('a.eval.yaml:8  unknown-key  unknown key "inptu"');
  expect(formatProblem(problem)).toBe('a.eval.yaml  unknown-key  unknown key "inptu"');
});

test('quoted text of a problem cannot move a cursor or set a title', () => {
  const cited = {
    ...problem,
    file: '\u001b[2Ja.yaml',
    message: 'no \u001b]0;x\u0007"k\u009b1m"',
    hint: 'h\u0007\u202e',
  };
  expect(formatProblem(cited)).toBe('a.yaml  unknown-key  no "k"  (h)');
});

test('all problems form one error of the authoring stage', () => {
  const other = { ...problem, line: 2 };
  const error = new AuthoringError([problem, other]);
  const { message, stage, code, problems } = error;
  expect({ message, stage, code, problems }).toEqual({
    message: '2 problems found; nothing was run',
    stage: 'authoring',
    code: 'authoring',
    problems: [problem, other],
  });
  expect(new AuthoringError([problem]).message).toBe('1 problem found; nothing was run');
});

test('the summary names the environment when only variables are missing', () => {
  const unset = { ...problem, code: 'environment-unset' } as const;
  const keyless = { ...problem, code: 'credentials-missing' } as const;
  const words = [[keyless], [unset, keyless], [unset, problem]].map(
    (problems) => new AuthoringError(problems).message,
  );
  expect(words).toEqual([
    '1 problem in the environment; nothing was run',
    '2 problems in the environment; nothing was run',
    '2 problems found; nothing was run',
  ]);
});

test('a problem that is found twice is printed once', () => {
  const { problems, message } = new AuthoringError([problem, { ...problem }, { ...problem, line: 2 }]);
  expect(problems).toEqual([problem, { ...problem, line: 2 }]);
  expect(message).toBe('2 problems found; nothing was run');
});
