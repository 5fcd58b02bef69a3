import { resolve } from 'node:path';

import { AssayError } from '../core/errors.ts';
import type { Sink, SinkPlugin, SinkServices } from '../core/log.ts';
import { nearest } from '../lib/text/suggest.ts';
import type { Presentation } from './presentation.ts';
import { builtins } from './registry.ts';

/** A chosen way of showing results. */
export interface Reporter {
  readonly type: string;
  /** Absolute. */
  readonly file?: string;
}

/** Reads `NAME` or `NAME=FILE`. */
export function parseReporter(text: string, cwd: string, known: ReadonlyMap<string, SinkPlugin>): Reporter {
  const equals = text.indexOf('=');
  const type = equals < 0 ? text : text.slice(0, equals);
  if (!known.has(type)) {
    const near = nearest(type, known.keys());
    throw new AssayError('unknown-reporter', `there is no reporter "${type}"`, {
      stage: 'plan',
      hint: near === undefined ? `known: ${[...known.keys()].join(', ')}` : `did you mean ${near}?`,
    });
  }
  return equals < 0 ? { type } : { type, file: resolve(cwd, text.slice(equals + 1)) };
}

/** The reporters of a run: those of the flags, else those of the config, else the terminal. */
export function reportersOf(configured: readonly string[], presentation: Presentation): readonly Reporter[] {
  const { reporters, surroundings, ci } = presentation;
  const named = reporters.length > 0 ? reporters : configured;
  const chosen = named.map((text) => parseReporter(text, surroundings.cwd, builtins().sinks));
  const terminal = chosen.some(({ type }) => type === 'terminal') ? [] : [{ type: 'terminal' }];
  const summary = surroundings.environment['GITHUB_STEP_SUMMARY'];
  return [...terminal, ...chosen].map((reporter: Reporter) =>
    reporter.type === 'github' && reporter.file === undefined && ci && summary !== undefined
      ? { ...reporter, file: summary }
      : reporter,
  );
}

/** The sink of `results.json`, which every run has. */
export function openResults(services: Omit<SinkServices, 'file'>): Sink {
  return openSink({ type: 'json' }, services);
}

/** Creates the sinks that people asked for; the terminal is the last to end, so that it can tell of the others. */
export function openSinks(
  reporters: readonly Reporter[],
  services: Omit<SinkServices, 'file'>,
): readonly Sink[] {
  const wanted = reporters.filter(({ type, file }) => type !== 'json' || file !== undefined);
  const isTerminal = ({ type }: Reporter) => type === 'terminal';
  const ordered = [...wanted.filter((reporter) => !isTerminal(reporter)), ...wanted.filter(isTerminal)];
  return ordered.map((reporter) => openSink(reporter, services));
}

function openSink({ type, file }: Reporter, services: Omit<SinkServices, 'file'>): Sink {
  const plugin = builtins().sinks.get(type);
  if (plugin === undefined) throw new Error(`there is no sink "${type}"`);
  return plugin.create(file === undefined ? services : { ...services, file });
}
