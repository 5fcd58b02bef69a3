import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

import type { Sink } from '../core/log.ts';
import type { SinkPlugin, SinkServices } from './plugin.ts';
import type { Row } from '../core/run.ts';
import { STORED_SUITE } from '../core/test-case.ts';
import { isObject } from '../lib/json.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import { conditionsOf, type Condition } from '../reading/conditions.ts';
import { markdownPage } from './markdown.ts';
import { unjudgedNote } from '../reading/outcomes.ts';
import { unmetGrades, whyText } from '../reading/phrases.ts';
import { steeredText } from '../reading/steering.ts';
import { notShown, readSummary, sameErrorText, type Summary } from '../reading/summary.ts';

/** Annotations in the log of a GitHub Actions job, and its summary when the file for it is given. */
export const github: SinkPlugin = {
  type: 'github',
  summary: 'annotations and a job summary in GitHub Actions',
  create: githubSink,
};

const MAX_ANNOTATIONS = 50;
const SUMMARY_TRIALS = 20;
/** GitHub drops summaries of more than 1 MiB. */
const SUMMARY_CHARACTERS = 300_000;

function githubSink(services: SinkServices): Sink {
  return {
    name: 'github',
    write: () => {},
    close: async () => {
      const summary = await readSummary(services.reader, MAX_ANNOTATIONS);
      services.screen.write(annotations(summary, services));
      if (services.file === undefined) return;
      const page = markdownPage(summary, SUMMARY_TRIALS).slice(0, SUMMARY_CHARACTERS);
      await appendFile(services.file, `${page}\n`, { mode: 0o600 });
    },
  };
}

function annotations(summary: Summary, services: SinkServices): string {
  const rows = [...summary.failed, ...summary.errored].slice(0, MAX_ANNOTATIONS);
  const more = notShown(summary, rows);
  const lines = rows.map((row) => annotation(row, placeOf(row, summary, services), summary));
  const rest = more > 0 ? [`::notice title=assay::${more} more trials failed or errored`] : [];
  const decided = conditionsOf(summary.manifest, summary.view.ended).flatMap(conditionError);
  const steered = steeredText(summary.steered);
  const warned = [unjudgedNote(summary.view.total), steered].flatMap((text) =>
    text === undefined ? [] : [`::warning title=assay::${message(text)}`],
  );
  return [...decided, ...warned, ...lines, ...rest].map((line) => `${line}\n`).join('');
}

/** Conditions that hold appear only in the summary, not in the log of the job. */
function conditionError({ name, came, says }: Condition): readonly string[] {
  return came === 'holds' ? [] : [`::error title=${property(`${came}: ${name}`)}::${message(says)}`];
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** The place of the failed assertion, else of the case, else of its suite; paths are relative to the repository. */
function placeOf(row: Row, { manifest }: Summary, services: SinkServices): Place | undefined {
  const suite = manifest.suites.find(({ id }) => id === row.suite);
  const { file, line = 1 } = fallenPlace(row) ??
    services.sourceOf?.(row.suite, row.caseId) ?? {
      file: row.suite === STORED_SUITE ? undefined : suite?.file,
    };
  if (file === undefined) return undefined;
  const { projectRoot } = services;
  return { file: relative(repositoryOf(projectRoot), resolve(projectRoot, file)), line };
}

/** The place of the failed assertion in a code suite. */
function fallenPlace(row: Row): Place | undefined {
  for (const grade of row.grades) {
    const error = !grade.passed && isObject(grade.details) ? grade.details['error'] : undefined;
    const location = isObject(error) ? error['location'] : undefined;
    const [, file, line] = /^(.*):(\d+):\d+$/.exec(typeof location === 'string' ? location : '') ?? [];
    if (file !== undefined) return { file, line: Number(line) };
  }
  return undefined;
}

/** The root of the git repository. GitHub places annotations by paths relative to it. */
function repositoryOf(projectRoot: string): string {
  for (let folder = projectRoot; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return projectRoot;
  }
}

function annotation(row: Row, found: Place | undefined, { sameError }: Summary): string {
  const repetition = row.repetition === 1 ? '' : ` #${row.repetition}`;
  const status = row.status === 'errored' ? 'errored (not measured)' : row.status;
  const title = `${status}: ${row.caseId}${repetition} [${row.target}]`;
  const place = found === undefined ? '' : `file=${property(found.file)},line=${found.line},`;
  return `::error ${place}title=${property(title)}::${message([details(row), sameErrorText(sameError.get(row)) ?? ''].join('\n').trim())}`;
}

function details(row: Row): string {
  const why = whyText(row);
  const grades = unmetGrades(row).map((grade) => `${grade.name}: ${grade.reason}`);
  const others = grades.filter((grade) => why !== `required ${grade}`);
  const hint = row.error?.hint === undefined ? [] : [`What to do: ${row.error.hint}`];
  return [...new Set([why, ...hint, ...others.slice(0, 10)])].join('\n');
}

function message(text: string): string {
  return stripControls(text.slice(0, 8000))
    .slice(0, 4000)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text.slice(0, 250)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
