import type { Problem } from '../../core/problem.ts';
import { importModule } from '../../lib/modules/import-module.ts';
import { importProblem } from '../import-problem.ts';

export interface ConfigModule {
  /** Absolute. */
  readonly path: string;
  /** The path as shown to people. */
  readonly file: string;
}

export type Imported = { readonly value: unknown } | { readonly problem: Problem };

/** The default export of a config module. */
export async function importConfig({ path, file }: ConfigModule): Promise<Imported> {
  try {
    const module = await importModule(path);
    if (module['default'] !== undefined) return { value: module['default'] };
  } catch (error) {
    const codes = { syntax: 'config-syntax', load: 'config-load-failed' } as const;
    return { problem: importProblem(error, { path, file, codes }) };
  }
  const hint = 'export default defineConfig({ ... })';
  return { problem: { file, code: 'config-no-default-export', message: 'has no default export', hint } };
}
