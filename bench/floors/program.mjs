// By hand, in sequence: start a program, send the prompt, read and parse its answer, check it once.
//   node program.mjs EXECUTIONS COMMAND...
import { askProgram } from './ask-program.mjs';
import { CONTAINS, questionOf } from './cases.mjs';

const [executions, ...command] = process.argv.slice(2);
for (let number = 1; number <= Number(executions); number++) {
  const { text } = JSON.parse(await askProgram(command, questionOf(number)));
  if (!text.includes(CONTAINS)) throw new Error(`wrong answer: ${text}`);
}
