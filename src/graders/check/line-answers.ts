import { lineSplitter, type Line } from '../../lib/process/lines.ts';
import { printedOutput, type Printed } from './printed-output.ts';

/** How the answers of a program are read. */
export interface AnswerForm {
  /** Makes an answer of one of its lines. `printed` gives what it printed since the request. */
  readonly read: (line: unknown, printed: () => Printed) => unknown;
  /** After each answer it writes its word to stderr too: everything that it printed before has arrived then. */
  readonly marksStderr?: true;
}

/** Reads the answers in the output of a program, and keeps the end of everything else. */
export interface LineAnswers {
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  printed(): Printed;
  /** Forgets what was printed. */
  clear(): void;
}

/** Answers begin with the word. `tell` gets each of them. */
export function lineAnswers(
  { read, marksStderr }: AnswerForm,
  word: string,
  tell: (answer: unknown) => void,
): LineAnswers {
  const printed = printedOutput(word);
  const waiting: Line[] = [];
  let marks = 0;
  const stdout = lineSplitter(MOST_BYTES);
  const stderr = lineSplitter(MOST_BYTES);
  const tellAll = (): void => {
    while (waiting.length > 0 && (marksStderr !== true || marks > 0)) {
      marks -= 1;
      const { text, isCut } = waiting.shift() as Line;
      tell(isCut ? TOO_LONG : read(JSON.parse(text.slice(word.length + 1)), printed.read));
    }
  };
  return {
    stdout(chunk) {
      printed.stdout(chunk);
      waiting.push(...stdout.push(chunk).filter(({ text }) => text.startsWith(`${word} `)));
      tellAll();
    },
    stderr(chunk) {
      printed.stderr(chunk);
      marks += stderr.push(chunk).filter(({ text }) => text === word).length;
      tellAll();
    },
    printed: printed.read,
    clear: printed.clear,
  };
}

const MOST_BYTES = 32 * 2 ** 20;
const TOO_LONG = { said: { fault: 'the answer is longer than 32 MB' } };
