// The program that runs a grader written as a module: the document comes on stdin, the grade is the last line printed.
import { readFileSync } from 'node:fs';
import process, { stderr, stdin, stdout } from 'node:process';
import { json } from 'node:stream/consumers';

import { isObject } from '../lib/json.ts';
import { importIntoOwnProcess } from '../lib/modules/import-module.ts';

const [path = ''] = process.argv.slice(2);

/** Exit codes from 64 are never read as a grade. */
let exitCode = 70;
process.on('exit', () => {
  process.exitCode = exitCode;
});

try {
  const document = whole((await json(stdin)) as Record<string, unknown>);
  const { default: grader } = await importIntoOwnProcess(path);
  if (typeof grader !== 'function') {
    throw new TypeError(
      `${path} has no grader: write export default defineGrader((input) => ({ score: 1 }))`,
    );
  }
  const answer: unknown = await grader(document);
  if (!isObject(answer)) throw new TypeError(`${path} returned ${String(answer)}, not { score, reason? }`);
  const line = JSON.stringify(answer);
  exitCode = 0;
  stdout.write(`\n${line}\n`, () => process.exit());
} catch (error) {
  stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit();
}

/** Replaces the paths of large parts by their content. */
function whole(document: Record<string, unknown>): Record<string, unknown> {
  const read = { ...document };
  for (const [key, file] of Object.entries(document)) {
    if (!key.endsWith('_path') || key === 'workspace_path') continue;
    delete read[key];
    read[key.slice(0, -'_path'.length)] = JSON.parse(readFileSync(String(file), 'utf8'));
  }
  return read;
}
