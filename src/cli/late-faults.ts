import { isAbsolute, relative } from 'node:path';

import { EXIT } from '../app/exit-code.ts';
import { messageOf } from '../core/errors.ts';
import { onLateFault } from '../lib/modules/foreign-code.ts';
import { lineInStack } from '../lib/modules/line-in-stack.ts';

/** Says what a module that a person wrote threw when it was loaded long ago; then the exit code is not that of success. */
export function tellOfLateFaults(): void {
  onLateFault(({ name, fault }) => {
    const line = lineInStack(fault, name);
    const file = `${isAbsolute(name) ? relative(process.cwd(), name) : name}${line === undefined ? '' : `:${line}`}`;
    process.stderr.write(
      `${file}  suite-load-failed  threw when it was loaded, where nobody catches it: ${messageOf(fault)}\n`,
    );
    process.once('exit', () => {
      if (process.exitCode === undefined || process.exitCode === EXIT.ok) process.exitCode = EXIT.usage;
    });
  });
}
