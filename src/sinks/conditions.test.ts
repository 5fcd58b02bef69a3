import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import type { SinkPlugin } from './plugin.ts';
import type { Manifest } from '../core/manifest.ts';
import { fakeScreen, manifest, passed, readerOf, servicesFor } from './fixtures/sample-run.ts';
import { github } from './github.ts';
import { html } from './html/html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { printGates } from './terminal/gates.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const decided: Partial<Manifest> = {
  gates: [
    { gate: 'pass_rate >= 0.9', holds: false, value: 0.512_345_6, says: '21/41 passed' },
    { gate: 'calibration.kappa >= 0.6', holds: null, value: null, says: 'judge <b> is not calibrated' },
    { gate: 'errored == 0', holds: true, value: 0, says: '0 trials errored' },
  ],
  baseline: { base: 'R1', verdict: 'regressed', sentence: 'regressed: 6 of 40 cases got worse' },
};

/** What a sink wrote of a run of one passed trial whose manifest says this. */
async function written(sink: SinkPlugin, more: Partial<Manifest>): Promise<string> {
  const directory = folderOfTest('assay-conditions-');
  const screen = fakeScreen();
  const reader = { ...readerOf([passed]), manifest: async () => ({ ...manifest, ...more }) };
  await sink.create(servicesFor(directory, { reader, screen })).close?.();
  return sink.defaultFile === undefined ? screen.text() : readFile(join(directory, sink.defaultFile), 'utf8');
}

test('JUnit has a suite of the whole run: what fell is a failure, what was not measured an error', async () => {
  const xml = await written(junit, decided);
  const schema = await readFile(join(import.meta.dirname, 'fixtures/junit.xsd'), 'utf8');
  expect((await validateXML({ xml, schema, maxMemoryPages: 4096 })).errors).toEqual([]);
  const suite = xml.slice(xml.indexOf('<testsuite name="the whole run"'));
  expect(suite.match(/tests="\d+" failures="\d+" errors="\d+" skipped="\d+"/)?.[0]).toBe(
    'tests="4" failures="2" errors="1" skipped="0"',
  );
  expect(suite.match(/<(testcase|failure|error)\b[^>]*>/g)).toEqual([
    '<testcase name="gate pass_rate &gt;= 0.9" classname="the whole run" time="0.000">',
    '<failure message="failed: is 0.5123, 21/41 passed" type="failed">',
    '<testcase name="gate calibration.kappa &gt;= 0.6" classname="the whole run" time="0.000">',
    '<error message="not measured: judge &lt;b&gt; is not calibrated" type="not measured">',
    '<testcase name="gate errored == 0" classname="the whole run" time="0.000"/>',
    '<testcase name="baseline R1" classname="the whole run" time="0.000">',
    '<failure message="failed: regressed: 6 of 40 cases got worse" type="failed">',
  ]);
});

test('reports tell of missing shards, and whether that was allowed', async () => {
  const lacking = { missingShards: ['1/4', '3/4', '4/4'], isAllowed: false };
  expect(await written(github, { partial: lacking })).toBe(
    '::error title=not measured%3A shards::Partial result: shards 1/4, 3/4 and 4/4 are missing (merge all shards, or allow it with --partial).\n',
  );
  const allowed = { missingShards: ['2/2'], isAllowed: true };
  expect(await written(markdown, { partial: allowed })).toContain(
    '- **holds**: shards: Partial result: shard 2/2 is missing (allowed by --partial).\n',
  );
});

test('if all conditions hold and the run is still inconclusive, reports say why', async () => {
  const says =
    '2 trials errored, but --max-errored tolerates only 0, so the results are inconclusive (exit code 3).';
  const held = (decided.gates ?? []).filter(({ holds }) => holds === true);
  const more = { gates: held, noEvidence: says };
  expect(await written(junit, more)).toContain(
    `<testcase name="evidence" classname="the whole run" time="0.000">\n      <error message="not measured: ${says}" type="not measured">`,
  );
  expect(await written(markdown, more)).toContain(
    `### 2 conditions on the whole run: 1 not measured\n\n- **holds**: gate errored == 0: is 0, 0 trials errored\n- **not measured**: evidence: ${says}\n`,
  );
  expect(await written(github, more)).toBe(`::error title=not measured%3A evidence::${says}\n`);
  expect(await written(junit, { ...decided, noEvidence: says })).not.toContain(says);
  expect(await written(junit, { noEvidence: says })).not.toContain('the whole run');
});

test.each([
  ['pass_rate.lower95 >= 0.8', 0.799_98, '0.79998'],
  ['pass_rate.lower95 >= 0.8', 0.8, '0.8'],
  ['pass_rate.lower95 >= 0.8', 0.799_512_3, '0.7995'],
  ['cost.total <= 0.0001', 0.000_14, '0.00014'],
  ['cost.total <= 0.001', 0.000_02, '0.00002'],
  ['latency.p95 <= 5000', 5000.000_01, '5000.00001'],
])('the number of %s is never rounded to what it asks for, or to nothing: %d', async (gate, value, shown) => {
  const gates = [{ gate, holds: false, value, says: 'so' }];
  expect(await written(github, { gates })).toBe(`::error title=failed%3A gate ${gate}::is ${shown}, so\n`);
  const screen = fakeScreen();
  printGates(screen, gates);
  expect(screen.text()).toBe(`\n1 gate: 1 failed\n  ✗ failed  ${gate}  is ${shown}, so\n`);
});

test('GitHub gets an error for each condition that does not hold', async () => {
  expect(await written(github, decided)).toBe(
    [
      '::error title=failed%3A gate pass_rate >= 0.9::is 0.5123, 21/41 passed',
      '::error title=not measured%3A gate calibration.kappa >= 0.6::judge <b> is not calibrated',
      '::error title=failed%3A baseline R1::regressed: 6 of 40 cases got worse',
      '',
    ].join('\n'),
  );
});

test('Markdown lists every condition above the table', async () => {
  const page = await written(markdown, decided);
  expect(page.slice(page.indexOf('###'), page.indexOf('| target'))).toBe(
    [
      '### 4 conditions on the whole run: 2 failed, 1 not measured\n',
      '- **failed**: gate pass\\_rate >= 0.9: is 0.5123, 21/41 passed',
      '- **not measured**: gate calibration.kappa >= 0.6: judge &lt;b> is not calibrated',
      '- **holds**: gate errored == 0: is 0, 0 trials errored',
      '- **failed**: baseline R1: regressed: 6 of 40 cases got worse\n\n',
    ].join('\n'),
  );
});

test('the page has every condition above the targets', async () => {
  const page = await written(html, decided);
  const section = page.slice(page.indexOf('<ul class="conditions">'), page.indexOf('<h2>Targets'));
  expect(section.match(/<li>.*<\/li>/g)).toEqual([
    '<li><strong class="is-failed">failed</strong> gate pass_rate &gt;= 0.9: is 0.5123, 21/41 passed</li>',
    '<li><strong class="is-errored">not measured</strong> gate calibration.kappa &gt;= 0.6: judge &lt;b&gt; is not calibrated</li>',
    '<li><strong class="is-passed">holds</strong> gate errored == 0: is 0, 0 trials errored</li>',
    '<li><strong class="is-failed">failed</strong> baseline R1: regressed: 6 of 40 cases got worse</li>',
  ]);
});

test('a run that its budget stopped says so in every report', async () => {
  const stopped: Partial<Manifest> = { state: 'stopped', reason: 'budget' };
  const says =
    'the budget was used up: 6 trials skipped; assay resume runs the remaining trials with a higher limit';
  expect(await written(junit, stopped)).toContain(`<error message="not measured: ${says}"`);
  expect(await written(github, stopped)).toBe(`::error title=not measured%3A budget::${says}\n`);
  expect(await written(markdown, stopped)).toContain(`- **not measured**: budget: ${says}`);
  expect(await written(html, stopped)).toContain(`budget: ${says}`);
});

test('a run that somebody stopped says in every report how many trials that skipped', async () => {
  const stopped: Partial<Manifest> = { state: 'interrupted' };
  const says = 'the run was stopped: 6 trials skipped; assay resume runs the remaining trials';
  expect(await written(junit, stopped)).toContain(`<error message="not measured: ${says}"`);
  expect(await written(github, stopped)).toBe(`::error title=not measured%3A stopped::${says}\n`);
  expect(await written(markdown, stopped)).toContain(`- **not measured**: stopped: ${says}`);
  expect(await written(html, stopped)).toContain(`stopped: ${says}`);
});

test('without any condition reports say nothing of them', async () => {
  expect(await written(junit, {})).not.toContain('the whole run');
  expect(await written(github, {})).toBe('');
  expect(await written(markdown, {})).not.toContain('condition');
  expect(await written(html, {})).not.toContain('<ul class="conditions">');
});
