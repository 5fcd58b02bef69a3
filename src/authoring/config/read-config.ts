import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import { messageOf } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import { parseDotenv } from './dotenv.ts';
import { isTooDeep, parseYaml } from '../yaml/parse-yaml.ts';
import { type ConfigModule, importConfig } from './import-config.ts';
import type { Origin } from './locate.ts';
import { jsonFault, TOO_DEEP } from '../yaml/json-fault.ts';
import type { YamlMistake } from '../yaml/text-mistakes.ts';
import { yamlMistake } from '../yaml/yaml-mistakes.ts';
import { parseYamlSource, placesOf } from './yaml-source.ts';

export type ReadConfig =
  | { readonly value: unknown; readonly origin: Origin }
  | { readonly problems: readonly Problem[] };

/** The value of a config file of any format. */
export async function readConfig(module: ConfigModule): Promise<ReadConfig> {
  const { path, file } = module;
  try {
    const text = await readFile(path, 'utf8');
    if (['.yaml', '.yml', '.json'].includes(extname(path))) return readText(text, file);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const hint = 'name an existing file with --config, or leave out --config to search for one';
    const problem: Problem = missing
      ? { file, code: 'config-not-found', message: 'config file not found', hint }
      : { file, code: 'config-unreadable', message: messageOf(error) };
    return { problems: [problem] };
  }
  const imported = await importConfig(module);
  if ('problem' in imported) return { problems: [imported.problem] };
  return { value: imported.value, origin: { file } };
}

/** The variables of `.env` in the folder; empty when the file is missing. */
export async function readDotenv(directory: string): Promise<Readonly<Record<string, string>>> {
  try {
    return parseDotenv(await readFile(join(directory, '.env'), 'utf8'));
  } catch {
    // Absent, a folder, or not readable: a missing variable is reported where it is used.
    return {};
  }
}

function readText(text: string, file: string): ReadConfig {
  const parsed = parseYaml(text, 'aliases');
  if ('value' in parsed) return { value: parsed.value ?? {}, origin: { file, source: placesOf(text) } };
  const { line, column } = parsed.failure;
  // The parser with positions exceeds the call stack.
  if (isTooDeep(parsed.failure)) {
    return { problems: [{ file, line: line + 1, column: column + 1, code: 'too-deep', message: TOO_DEEP }] };
  }
  const mistake = file.endsWith('.json') ? jsonMistake(text) : yamlMistake(text, parsed.failure);
  if (mistake !== undefined) return { problems: [{ file, code: 'config-syntax', ...mistake }] };
  const source = parseYamlSource(text);
  if (source.errors.length === 0) return { value: source.value ?? {}, origin: { file, source } };
  return {
    problems: source.errors.map(({ message, position }) => ({
      file,
      ...position,
      code: 'config-syntax',
      message,
    })),
  };
}

/** A duplicate key, which YAML also refuses, keeps the place that YAML gives. */
function jsonMistake(text: string): Omit<YamlMistake, 'hint'> | undefined {
  const found = jsonFault(text);
  if (found?.code !== 'json-syntax') return undefined;
  const before = text.slice(0, found.offset).trimEnd().split('\n');
  return {
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    message: found.message.replace(/^the line /, 'the file '),
  };
}
