import { checkPlugin } from './check/check-plugin.ts';
import { startPython } from './check/python-process.ts';

export const python = checkPlugin({
  type: 'python',
  summary: 'Your Python checks the answer, in a `python3` process that many checks share.',
  forms:
    'An expression or statements with `return`, or `file://` and the path of a file with `def check(input)`.',
  example: 'checks/check.py',
  extension: /\.py$/,
  files: '.py',
  program: 'python3',
  threads: { start: startPython, noun: 'process' },
});
