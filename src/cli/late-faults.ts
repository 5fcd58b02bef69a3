import { isAbsolute, relative } from 'node:path';

import { EXIT } from '../app/exit-code.ts';
import { messageOf } from '../core/errors.ts';
import { onLateFault, type LateFault } from '../lib/modules/foreign-code.ts';
import { placeInStack } from '../lib/modules/place-in-stack.ts';

/** Reports an error that a user's module threw after it was loaded. The exit code is then not 0. */
export function tellOfLateFaults(): void {
  onLateFault((late) => {
    process.stderr.write(`${placeOf(late)} threw an error that was not caught: ${messageOf(late.fault)}\n`);
    process.once('exit', () => {
      if (process.exitCode === undefined || process.exitCode === EXIT.ok) process.exitCode = EXIT.usage;
    });
  });
}

function placeOf({ name, fault }: LateFault): string {
  if (!isAbsolute(name)) return name;
  const { line, column } = placeInStack(fault, name, 'loaded') ?? {};
  const place = [relative(process.cwd(), name), line, column].filter((part) => part !== undefined);
  return `${place.join(':')}  suite-load-failed `;
}
