import type { SinkServices } from './plugin.ts';
import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import type { Manifest } from '../core/manifest.ts';
import { conditionsOf, type Condition } from '../reading/conditions.ts';
import { isUnjudged, statusText } from '../reading/outcomes.ts';
import { scaleOf, scoreText, skippedText, unmetGrades, whyText } from '../reading/phrases.ts';
import { fileReport, type OutputFile } from './output-file.ts';
import { steeringText } from '../reading/steering.ts';
import { openSpool, type Spool } from './spool.ts';
import { DECEPTIVE } from '../lib/text/terminal-text.ts';

/** JUnit XML that is valid for the schemas of Ant and Jenkins: one suite per suite and target. */
export const junit = fileReport(
  {
    type: 'junit',
    summary: 'JUnit XML for continuous integration; failures, errors and skipped are disjoint',
    defaultFile: 'junit.xml',
  },
  (services, file, path) => writeSuites(services, file, `${path}.cases`),
);

interface SuiteCounts {
  readonly suite: string;
  readonly target: string;
  readonly startedAt: string;
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  durationMs: number;
}

async function writeSuites({ reader }: SinkServices, file: OutputFile, spoolPath: string): Promise<void> {
  const manifest = await reader.manifest();
  const suites = new Map<string, SuiteCounts>();
  await using spool = await openSpool(spoolPath);
  let ended = 0;
  for await (const row of reader.rows()) {
    await addRow(row, suites, spool);
    ended += 1;
  }
  await file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n');
  let id = 0;
  for (const [group, suite] of suites) {
    await file.write(suiteStart(suite, id++, manifest));
    await spool.copy(group, file);
    await file.write('    <system-out>');
    await spool.copy(outputOf(group), file);
    await file.write(`</system-out>\n${SUITE_END}`);
  }
  await file.write(conditionSuite(conditionsOf(manifest, ended), id, manifest));
  await file.write('</testsuites>\n');
}

const SUITE_END = '    <system-err></system-err>\n  </testsuite>\n';

/** In the schema, only failed tests can have output of their own. All others share the output of the suite. */
function outputOf(group: string): string {
  return `${group} output`;
}

/** One test per condition on the whole run, so that a failed one is listed with the tests; '' without conditions. */
function conditionSuite(conditions: readonly Condition[], id: number, manifest: Manifest): string {
  if (conditions.length === 0) return '';
  const count = (came: Condition['came']) => conditions.filter((each) => each.came === came).length;
  const attributes = attributesOf({
    name: WHOLE_RUN,
    package: WHOLE_RUN,
    id,
    hostname: 'localhost',
    timestamp: manifest.startedAt.slice(0, 19),
    tests: conditions.length,
    failures: count('failed'),
    errors: count('not measured'),
    skipped: 0,
    time: seconds(0),
  });
  const properties = `    <properties>\n      <property${attributesOf({ name: 'run', value: manifest.id })}/>\n    </properties>\n`;
  const cases = conditions.map(({ name, came, says }) => {
    const head = `    <testcase${attributesOf({ name: cut(name, 500), classname: WHOLE_RUN, time: seconds(0) })}`;
    if (came === 'holds') return `${head}/>\n`;
    const kind = came === 'failed' ? 'failure' : 'error';
    const why = cut(`${came}: ${says}`, 2000);
    return `${head}>\n      <${kind}${attributesOf({ message: why, type: came })}>${escapeXml(why)}</${kind}>\n    </testcase>\n`;
  });
  return `  <testsuite${attributes}>\n${properties}${cases.join('')}    <system-out></system-out>\n${SUITE_END}`;
}

const WHOLE_RUN = 'the whole run';

async function addRow(row: Row, suites: Map<string, SuiteCounts>, spool: Spool): Promise<void> {
  const group = JSON.stringify([row.suite, row.target]);
  const suite = suites.get(group) ?? {
    suite: row.suite,
    target: row.target,
    startedAt: row.startedAt,
    tests: 0,
    failures: 0,
    errors: 0,
    skipped: 0,
    durationMs: 0,
  };
  suites.set(group, suite);
  const kind = kindOf(row);
  suite.tests += 1;
  suite.durationMs += row.durationMs;
  if (kind === 'failure') suite.failures += 1;
  if (kind === 'error') suite.errors += 1;
  if (kind === 'skipped') suite.skipped += 1;
  await spool.add(group, testcase(row, kind));
  for (const line of outputLines(row)) {
    await spool.add(outputOf(group), `${escapeXml(cut(`${testName(row)}: ${line}`, 1000))}\n`);
  }
}

/** What the output of its suite says of a trial. */
function outputLines(row: Row): readonly string[] {
  const steering = steeringText(row);
  return [...(isUnjudged(row) ? [statusText(row)] : []), ...(steering === undefined ? [] : [steering])];
}

type Kind = 'failure' | 'error' | 'skipped' | undefined;

/** A failure that was expected is a passed test. */
function kindOf(row: Row): Kind {
  switch (row.status) {
    case 'passed':
    case 'expected-failed':
      return undefined;
    case 'failed':
    case 'unexpected-passed':
      return 'failure';
    case 'errored':
      return 'error';
    case 'skipped':
    case 'cancelled':
      return 'skipped';
    default:
      return row.status satisfies never;
  }
}

function suiteStart(suite: SuiteCounts, id: number, manifest: Manifest): string {
  const name = suiteName(suite);
  const label = manifest.suites.find((entry) => entry.id === suite.suite)?.name ?? suite.suite;
  const attributes = attributesOf({
    name,
    package: suite.suite,
    id,
    hostname: 'localhost',
    timestamp: suite.startedAt.slice(0, 19),
    tests: suite.tests,
    failures: suite.failures,
    errors: suite.errors,
    skipped: suite.skipped,
    time: seconds(suite.durationMs),
  });
  const properties = { run: manifest.id, state: manifest.state, suite: label, target: suite.target };
  const lines = Object.entries(properties).map(
    ([key, value]) => `      <property${attributesOf({ name: key, value })}/>\n`,
  );
  return `  <testsuite${attributes}>\n    <properties>\n${lines.join('')}    </properties>\n`;
}

function testcase(row: Row, kind: Kind): string {
  const head = `    <testcase${attributesOf({
    name: testName(row),
    classname: suiteName(row),
    time: seconds(row.durationMs),
  })}`;
  if (kind === undefined) return `${head}/>\n`;
  if (kind === 'skipped') {
    const why = cut(skippedText(row), 500);
    return `${head}><skipped${attributesOf({ message: why })}>${escapeXml(why)}</skipped></testcase>\n`;
  }
  const type = row.error?.kind ?? row.failureClass?.id ?? row.status;
  const attributes = attributesOf({ message: cut(whyText(row), 500), type });
  return `${head}>\n      <${kind}${attributes}>${escapeXml(cut(details(row), 8000))}</${kind}>\n    </testcase>\n`;
}

function testName({ caseId, repetition }: Row): string {
  return `${caseId}/r${repetition}`;
}

function suiteName({ suite, target }: Pick<Row, 'suite' | 'target'>): string {
  return `${suite} [${target}]`;
}

function details(row: Row): string {
  const steering = steeringText(row);
  const lines = [
    whyText(row),
    ...(row.error?.hint === undefined ? [] : [`What to do: ${row.error.hint}`]),
    ...unmetGrades(row).map((grade) => `${grade.name} (${markText(grade, row)}): ${grade.reason}`),
    ...(steering === undefined ? [] : [steering]),
    ...(row.artifactDir === undefined ? [] : [`Files: ${row.artifactDir}`]),
  ];
  return [...new Set(lines)].join('\n');
}

function markText({ score }: Grade, row: Row): string {
  return score === null ? 'not decided' : scoreText(score, scaleOf(row));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributesOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escapeXml(String(value)).replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`)}"`,
    )
    .join('');
}

const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for an XML document, without the characters that XML 1.0 cannot represent. */
function escapeXml(text: string): string {
  return text
    .replace(ILLEGAL, '')
    .replace(DECEPTIVE, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
