import { resolve } from 'node:path';

import { reporterName } from '../../authoring/config/published-spellings.ts';
import { AssayError } from '../../core/errors.ts';
import type { BenchmarkReporter } from '../../core/benchmark-reporter.ts';
import type { Sink } from '../../core/log.ts';
import type { SinkPlugin, SinkServices } from '../../sinks/plugin.ts';
import { statusAt } from '../../lib/files/file-status.ts';
import { didYouMean } from '../../lib/text/suggest.ts';
import { sinks } from '../../sinks/index.ts';
import { json } from '../../sinks/json.ts';
import { isModuleReporter, moduleReporter } from './module-reporter.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Presentation } from './presentation.ts';

/** A requested report. */
export interface Reporter {
  readonly type: string;
  /** Absolute path of the report. */
  readonly file?: string;
  readonly plugin: SinkPlugin;
  /** Hooks of a reporter that gets suites and cases. The plugin then does nothing. */
  readonly hooks?: BenchmarkReporter;
}

/** Parses `NAME` or `NAME=FILE`. The name is built in or the path of a module. */
async function parseReporter(text: string, cwd: string): Promise<Reporter> {
  const equals = text.indexOf('=');
  const name = reporterName(equals < 0 ? text : text.slice(0, equals));
  const found = isModuleReporter(name) ? await moduleReporter(resolve(cwd, name)) : { plugin: builtIn(name) };
  const { type } = found.plugin;
  if (equals < 0) return { type, ...found };
  if (type === 'terminal') {
    throw new AssayError('usage', 'the terminal reporter cannot write a file', {
      stage: 'plan',
      hint: 'redirect the output, or use markdown=FILE',
    });
  }
  return { type, ...found, file: fileOf(text, equals, cwd) };
}

/** Checks the path before the run, not when the report is written. */
function fileOf(text: string, equals: number, cwd: string): string {
  const written = text.slice(equals + 1);
  const file = resolve(cwd, written);
  const type = text.slice(0, equals);
  const isFolder = statusAt(file)?.isDirectory() === true;
  if (written.trim() !== '' && !isFolder) return file;
  throw new AssayError(
    'usage',
    `the reporter ${text} names ${isFolder && written !== '' ? 'a folder' : 'no file'}`,
    {
      stage: 'plan',
      hint: `write ${type}=FILE, or only ${type} to write the file into the run directory`,
    },
  );
}

/** Throws if two reports would be written to the same file. */
function refuseSharedFiles(reporters: readonly Reporter[]): void {
  for (const [index, { type, file }] of reporters.entries()) {
    const other = reporters.slice(0, index).find((earlier) => file !== undefined && earlier.file === file);
    if (other === undefined) continue;
    throw new AssayError('usage', `the reporters ${other.type} and ${type} would both write to ${file}`, {
      stage: 'plan',
      hint: 'give each its own file',
    });
  }
}

function builtIn(type: string): SinkPlugin {
  const known = new Map(sinks.map((sink) => [sink.type, sink]));
  const plugin = known.get(type);
  if (plugin === undefined) {
    throw new AssayError('unknown-reporter', `unknown reporter "${type}"`, {
      stage: 'plan',
      hint: didYouMean(type, known.keys()) ?? `known: ${[...known.keys()].join(', ')}`,
    });
  }
  return plugin;
}

interface ReportersPlace {
  readonly presentation: Pick<Presentation, 'reporters' | 'ci' | 'isSilent'>;
  readonly surroundings: Pick<Surroundings, 'cwd' | 'environment'>;
}

/** The reporters of a run: from the flags, else from the config, else the terminal. */
export async function reportersOf(
  configured: readonly string[],
  { presentation, surroundings }: ReportersPlace,
): Promise<readonly Reporter[]> {
  const { reporters, ci, isSilent = false } = presentation;
  if (isSilent) return [];
  const named = reporters.length > 0 ? reporters : configured;
  const chosen = await Promise.all(named.map((text) => parseReporter(text, surroundings.cwd)));
  refuseSharedFiles(chosen);
  const always = { type: 'terminal', plugin: builtIn('terminal') };
  const terminal = chosen.some(({ type }) => type === 'terminal') ? [] : [always];
  const summary = surroundings.environment['GITHUB_STEP_SUMMARY'];
  return [...terminal, ...chosen].map((reporter: Reporter) =>
    reporter.type === 'github' && reporter.file === undefined && ci && summary !== undefined
      ? { ...reporter, file: summary }
      : reporter,
  );
}

/** Says which reporters have hooks and are therefore not told of a run that only grades or merges stored trials. */
export function sayUncalled(
  reporters: readonly Reporter[],
  { screen, verbosity }: Pick<Presentation, 'screen' | 'verbosity'>,
): void {
  if (verbosity === 'quiet') return;
  for (const { type, hooks } of reporters) {
    if (hooks !== undefined) {
      screen.write(`The reporter ${type} is not called: hooks are only for assay run and assay resume.\n`);
    }
  }
}

/** Opens the sink of `results.json`, which every run has. */
export function openResults(services: Omit<SinkServices, 'file'>): Sink {
  return json.create(services);
}

/** Creates the requested sinks. The terminal is the last one, so that it can list the others. */
export function openSinks(
  reporters: readonly Reporter[],
  services: Omit<SinkServices, 'file'>,
): readonly Sink[] {
  const wanted = reporters.filter(
    ({ type, file, hooks }) => hooks === undefined && (type !== 'json' || file !== undefined),
  );
  const isTerminal = ({ type }: Reporter) => type === 'terminal';
  const ordered = [...wanted.filter((reporter) => !isTerminal(reporter)), ...wanted.filter(isTerminal)];
  return ordered.map((reporter) => openSink(reporter, services));
}

function openSink({ plugin, file }: Reporter, services: Omit<SinkServices, 'file'>): Sink {
  return plugin.create(file === undefined ? services : { ...services, file });
}
