import { closeSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';

import * as z from 'zod';

import type { JsonObject } from '../lib/json.ts';
import { timeLimitMs } from '../lib/time/time-limit.ts';
import { textMapping } from '../lib/text/json-value.ts';

/** How a script is started; also the keys of a composite with a script as aggregator. */
export const scriptKeys = {
  script: z
    .union([z.string().regex(/\S/, 'is empty'), z.array(z.string()).min(1, 'must start with a program')], {
      error: 'must be a shell command, or a list of a program and its arguments',
    })
    .describe(
      'One of these: a list (the program and its arguments), a shell command, or a module whose default export is a grader.',
    ),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Working directory. Default: the folder of the file that names the script.'),
  timeout_ms: timeLimitMs().default(60_000).describe('Time limit of the script in milliseconds.'),
  env: textMapping().optional().describe('Environment variables to add.'),
  config: z
    .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'must be a mapping',
    })
    .optional()
    .meta({ type: 'object', description: 'Any mapping; passed to the script unchanged.' }),
};

const scriptConfig = z.lazy(() => z.strictObject(scriptKeys));
export type ScriptConfig = z.infer<typeof scriptConfig>;

/** The command of a script that is no module, as written. */
export function commandOf(
  { script }: Pick<ScriptConfig, 'script'>,
  directory: string,
): readonly string[] | { readonly shell: string } {
  if (typeof script === 'string') return { shell: script };
  const [program = '', ...args] = script;
  return [RELATIVE.test(program) ? resolve(directory, program) : program, ...args];
}

/** The absolute path of a script that is a module. Undefined for a program. */
export function moduleOf({ script }: Pick<ScriptConfig, 'script'>, directory: string): string | undefined {
  const modulePath = modulePathOf(script);
  if (modulePath === undefined) return undefined;
  const path = resolve(directory, modulePath);
  return isProgram(path) ? undefined : path;
}

/** Whether a script is written as a module, or as a program whose file has such a name. */
export function isModule(script: ScriptConfig['script']): boolean {
  return modulePathOf(script) !== undefined;
}

/** Files that change what a script answers, as far as its arguments name them. */
export function scriptFiles({ script, cwd }: ScriptConfig): readonly string[] {
  const modulePath = modulePathOf(script);
  if (modulePath !== undefined) return [modulePath];
  if (typeof script === 'string') return [];
  const [program = '', ...args] = script;
  if (RELATIVE.test(program)) return [program];
  const source = INTERPRETER.test(program) ? args.find((arg) => SOURCE.test(arg)) : undefined;
  if (source === undefined) return [];
  return [cwd === undefined || source.startsWith('/') ? source : join(cwd, source)];
}

const RELATIVE = /^\.\.?(\/|$)/;
const INTERPRETER = /^(?:.*\/)?(?:python[\d.]*|node|bun|deno|tsx|ruby|perl|php|bash|sh)$/;
const SOURCE = /^[^-\s][^\s]*\.(?:py|[cm]?[jt]s|rb|pl|php|sh|bash)$/;
const MODULE = /^\S+\.m?[jt]s$/;

function modulePathOf(script: string | readonly string[]): string | undefined {
  const [only, ...others] = typeof script === 'string' ? [script.trim()] : script;
  if (only === undefined || others.length > 0 || !MODULE.test(only)) return undefined;
  return typeof script !== 'string' || /^\.{0,2}\//.test(only) ? only : undefined;
}

/** A file with its own interpreter line is run, not imported. */
function isProgram(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(2);
      readSync(file, start, 0, 2, 0);
      return start.toString('latin1') === '#!';
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
