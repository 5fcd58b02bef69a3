import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { CONFIG_NAMES } from '../authoring/config/find-config.ts';
import { parseYamlSource, type Source } from '../authoring/config/yaml-source.ts';
import { missingPath } from '../authoring/missing-path.ts';
import { importProject } from '../authoring/promptfoo/import-project.ts';
import type { ImportNote, Mapping } from '../authoring/promptfoo/notes.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import { isObject } from '../lib/json.ts';
import { freeName } from '../lib/text/free-name.ts';
import { plural } from '../lib/text/plural.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import { writeNewFiles } from './project/new-files.ts';
import { shortYaml } from './project/short-yaml.ts';
import type { Surroundings } from './surroundings.ts';

export interface ImportRequest {
  /** The config of promptfoo. */
  readonly file: string;
  /** Where to write; undefined: next to that config. */
  readonly folder: string | undefined;
  readonly mode: 'keep' | 'overwrite';
}

/** What an import wrote, and the list of it and of what was left out. */
export interface ImportReport {
  readonly text: string;
  /** Absolute. */
  readonly suite: string;
  /** Absolute. */
  readonly config: string;
}

const CONFIG = 'assay.config.yaml';
const SUITE = 'promptfoo.eval.yaml';

/** Writes a config and an eval that test the same as a config of promptfoo. Lists what it leaves out, with its place. */
export async function importPromptfoo(
  { file, folder, mode }: ImportRequest,
  { cwd }: Surroundings,
): Promise<ImportReport> {
  const from = resolve(cwd, file);
  const source = readSource(file, from, cwd);
  const directory = folder === undefined ? dirname(from) : resolve(cwd, folder);
  const { globSync } = await import('tinyglobby');
  const notes: ImportNote[] = [];
  const programs = new Map<string, string>();
  const { config, suite } = importProject(source.value as Mapping, {
    note: (path, message, hint) =>
      void notes.push({ path, message, ...(hint === undefined ? {} : { hint }) }),
    readText: (path) => readTextOf(resolve(dirname(from), path)),
    filesOf: (path) =>
      /[*?{]/.test(path)
        ? globSync(path, { cwd: dirname(from), expandDirectories: false }).toSorted()
        : [path],
    write: ({ name, extension }, text) => {
      const taken = new Set([...programs.keys()].map((each) => each.toLowerCase()));
      const free = freeName(name, (each) => taken.has(`${each}${extension}`.toLowerCase()));
      programs.set(`${free}${extension}`, text);
      return `./${free}${extension}`;
    },
    moved: (path) => movedPath(relative(directory, resolve(dirname(from), path))),
  });
  const lines = notes.toSorted(byPlace(source)).map((note) => shownNote(note, { file, source }));
  const files = new Map([
    [CONFIG, `# Made from ${basename(file)}.\n${await shortYaml(config)}`],
    [SUITE, `${headerOf(basename(file), lines)}${await shortYaml(suite)}`],
    ...programs,
  ]);
  writeNewFiles({ directory, files, mode, mustBeNew: [...files.keys(), ...CONFIG_NAMES] });
  const wrote = [...files.keys()].map((name) => `wrote ${relative(cwd, join(directory, name))}\n`);
  return {
    text: `${wrote.join('')}${leftOut(lines, file)}`,
    suite: join(directory, SUITE),
    config: join(directory, CONFIG),
  };
}

function readSource(file: string, path: string, cwd: string): Source {
  const refuse = (problem: Omit<Problem, 'file'>): never => {
    throw new AuthoringError([{ file, ...problem }], 'nothing was written');
  };
  if (!existsSync(path)) throw new AuthoringError([missingPath(file, cwd)], 'nothing was written');
  if (!/\.(?:ya?ml|json)$/.test(file))
    return refuse({ code: 'unknown-format', message: 'not a promptfoo config in YAML or JSON' });
  const source = parseYamlSource(readFileSync(path, 'utf8'));
  const [error] = source.errors;
  if (error !== undefined) return refuse({ code: 'yaml-syntax', message: error.message, ...error.position });
  if (!isObject(source.value))
    return refuse({ code: 'unknown-format', message: 'not a promptfoo config: expected a mapping' });
  return source;
}

function readTextOf(path: string): string | undefined {
  try {
    return new TextDecoder('utf8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** As a path that is recognised as one. */
function movedPath(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}

function shownNote(
  { path, message, hint }: ImportNote,
  { file, source }: { file: string; source: Source },
): string {
  const place = source.keyAt(path);
  const at = [file, place?.line, place?.column].filter((part) => part !== undefined).join(':');
  return stripControls(`${at}  ${message}${hint === undefined ? '' : `  (${hint})`}`);
}

/** In the order of the config. */
function byPlace(source: Source): (left: ImportNote, right: ImportNote) => number {
  const lineOf = ({ path }: ImportNote): number => source.keyAt(path)?.line ?? 0;
  return (left, right) => lineOf(left) - lineOf(right);
}

function headerOf(file: string, notes: readonly string[]): string {
  const comments = notes.map((line) => `#   ${line}\n`);
  const left = comments.length === 0 ? '' : `# Not imported, or changed:\n${comments.join('')}`;
  return `# Made from ${file}. With a threshold of 1, each check must pass, as in promptfoo.\n${left}`;
}

function leftOut(lines: readonly string[], file: string): string {
  if (lines.length === 0) return `everything in ${file} was imported\n`;
  const what = `${plural(lines.length, 'part')} of ${file} ${lines.length === 1 ? 'was' : 'were'} not imported, or changed:`;
  return `\n${[what, ...lines].join('\n')}\n`;
}
