import { resolve } from 'node:path';

import { reporterName } from '../../authoring/config/published-spellings.ts';
import { AssayError } from '../../core/errors.ts';
import type { BenchmarkReporter } from '../../core/benchmark-reporter.ts';
import type { Sink } from '../../core/log.ts';
import type { SinkPlugin, SinkServices } from '../../sinks/plugin.ts';
import { statusAt } from '../../lib/files/file-status.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { sinks } from '../../sinks/index.ts';
import { json } from '../../sinks/json.ts';
import { isModuleReporter, moduleReporter } from './module-reporter.ts';
import type { Presentation } from '../presentation.ts';

/** A chosen way of showing results. */
export interface Reporter {
  readonly type: string;
  /** Absolute. */
  readonly file?: string;
  readonly plugin: SinkPlugin;
  /** Of a reporter that is told of suites and cases; then the plugin makes nothing. */
  readonly hooks?: BenchmarkReporter;
}

/** Reads `NAME` or `NAME=FILE`; the name is a built-in one or the path of a module. */
async function parseReporter(text: string, cwd: string): Promise<Reporter> {
  const equals = text.indexOf('=');
  const name = reporterName(equals < 0 ? text : text.slice(0, equals));
  const found = isModuleReporter(name) ? await moduleReporter(resolve(cwd, name)) : { plugin: builtIn(name) };
  const { type } = found.plugin;
  if (equals < 0) return { type, ...found };
  if (type === 'terminal') {
    throw new AssayError('usage', 'the terminal reporter writes no file', {
      stage: 'plan',
      hint: 'redirect the output, or write markdown=FILE',
    });
  }
  return { type, ...found, file: fileOf(text, equals, cwd) };
}

/** Told before anything runs, not when the report is to be written. */
function fileOf(text: string, equals: number, cwd: string): string {
  const written = text.slice(equals + 1);
  const file = resolve(cwd, written);
  const isFolder = statusAt(file)?.isDirectory() === true;
  if (written.trim() !== '' && !isFolder) return file;
  throw new AssayError(
    'usage',
    `the reporter ${text} names ${isFolder && written !== '' ? 'a folder' : 'no file'}`,
    {
      stage: 'plan',
      hint: `write ${text.slice(0, equals)}=FILE, or leave out \`=\` for a file in the directory of the run`,
    },
  );
}

/** Throws where one report would take the place of another. */
function refuseSharedFiles(reporters: readonly Reporter[]): void {
  for (const [index, { type, file }] of reporters.entries()) {
    const other = reporters.slice(0, index).find((earlier) => file !== undefined && earlier.file === file);
    if (other === undefined) continue;
    throw new AssayError('usage', `the reporters ${other.type} and ${type} would both write to ${file}`, {
      stage: 'plan',
      hint: 'give each a file of its own',
    });
  }
}

function builtIn(type: string): SinkPlugin {
  const known = new Map(sinks.map((sink) => [sink.type, sink]));
  const plugin = known.get(type);
  if (plugin === undefined) {
    const near = nearest(type, known.keys());
    throw new AssayError('unknown-reporter', `there is no reporter "${type}"`, {
      stage: 'plan',
      hint: near === undefined ? `known: ${[...known.keys()].join(', ')}` : `did you mean ${near}?`,
    });
  }
  return plugin;
}

/** The reporters of a run: those of the flags, else those of the config, else the terminal. */
export async function reportersOf(
  configured: readonly string[],
  presentation: Presentation,
): Promise<readonly Reporter[]> {
  const { reporters, surroundings, ci } = presentation;
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

/** The sink of `results.json`, which every run has. */
export function openResults(services: Omit<SinkServices, 'file'>): Sink {
  return json.create(services);
}

/** Creates the sinks that people asked for; the terminal is the last to end, so that it can tell of the others. */
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
