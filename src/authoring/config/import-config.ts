import type { Problem } from '../../core/problem.ts';
import { messageOf } from '../../core/errors.ts';
import { importModule } from '../../lib/modules/import-module.ts';

export interface ConfigModule {
  /** Absolute. */
  readonly path: string;
  /** As shown to people. */
  readonly file: string;
}

export type Imported = { readonly value: unknown } | { readonly problem: Problem };

/** The default export of a config module. */
export async function importConfig({ path, file }: ConfigModule): Promise<Imported> {
  try {
    const module = await importModule(path);
    if (module['default'] !== undefined) return { value: module['default'] };
  } catch (error) {
    return { problem: importProblem(error, path, file) };
  }
  const hint = 'export default defineConfig({ ... })';
  return { problem: { file, code: 'config-no-default-export', message: 'has no default export', hint } };
}

function importProblem(error: unknown, path: string, file: string): Problem {
  const message = messageOf(error);
  const syntax =
    /^(?:ParseError|SyntaxError): (?<what>.*?)\s*\n\s*(?<where>.+):(?<line>\d+):(?<column>\d+)$/s.exec(
      message,
    );
  if (syntax?.groups !== undefined) {
    const { what = '', where = '', line, column } = syntax.groups;
    // The parser counts columns from 0.
    const position = { line: Number(line), column: Number(column) + 1 };
    return { file: where === path ? file : where, ...position, code: 'config-syntax', message: what };
  }
  const text = (message.split('\nRequire stack:')[0] ?? message).trim();
  return { file, ...frameIn(error, path), code: 'config-load-failed', message: text };
}

/** The innermost place of the config itself in the error's stack; only its line is exact. */
function frameIn(error: unknown, path: string): { line?: number } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const frame of stack.split('\n')) {
    const at = frame.indexOf(`${path}:`);
    const line = at === -1 ? Number.NaN : Number.parseInt(frame.slice(at + path.length + 1), 10);
    if (Number.isInteger(line)) return { line };
  }
  return {};
}
