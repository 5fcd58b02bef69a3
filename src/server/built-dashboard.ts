import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { AssayError } from '../core/errors.ts';

/** The folder of the built dashboard: next to the program, or in `dist` when sources are run. Throws `dashboard-missing`. */
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
