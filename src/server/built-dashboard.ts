import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { AssayError } from '../core/errors.ts';

/** The folder of the dashboard as the build made it: beside the program, or in `dist` where sources run. */
export function builtDashboard(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const found = [join(folder, 'web'), join(folder, 'dist', 'web')].find((web) =>
      existsSync(join(web, 'assets')),
    );
    if (found !== undefined) return found;
  }
  throw new AssayError('dashboard-missing', 'this installation has no dashboard', {
    stage: 'plan',
    hint: 'install assay again, or build it with npm run build',
  });
}
