// Adds up vitest's JSON reports of a folder: 'N passed, N failed, N skipped'. Exits with 1 when nothing passed or anything failed.
// The slowest files of each run are named. A failed run's own account of its failures, from the kept output beside its report, is printed again before that.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const LINES_OF_FAILURES = 150;
const SLOWEST_FILES = 12;

const folder = process.argv[2];
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const reports = files.map((name) => ({
  log: join(folder, name.replace(/json$/, 'log')),
  ...JSON.parse(readFileSync(join(folder, name), 'utf8')),
}));

for (const { log, ...report } of reports) {
  printSlowest(log, report.testResults ?? []);
  if (!report.success || report.numPendingTests > 0) printFailures(log);
}

const passed = sum('numPassedTests');
// A test file that cannot be loaded fails without containing a test.
const failed = Math.max(sum('numFailedTests'), reports.filter((report) => !report.success).length);
const skipped = sum('numPendingTests') + sum('numTodoTests');

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;

function sum(key) {
  return reports.reduce((total, report) => total + (report[key] ?? 0), 0);
}

function printSlowest(log, results) {
  const times = results
    .map(({ name, startTime, endTime }) => ({ name: relative('.', name), s: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.s - one.s);
  const total = times.reduce((seconds, { s }) => seconds + s, 0);
  console.log(`== slowest of ${times.length} files in ${log}, which take ${total.toFixed(0)} s together`);
  for (const { name, s } of times.slice(0, SLOWEST_FILES)) console.log(`${s.toFixed(1)} s  ${name}`);
}

function printFailures(log) {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  const first = lines.findIndex((line) => /(?:Failed (?:Suites|Tests)|Unhandled Errors) /.test(line));
  if (first === -1) return;
  console.log(`== failures in ${log}`);
  console.log(lines.slice(first, first + LINES_OF_FAILURES).join('\n'));
}
