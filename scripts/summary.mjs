// Adds up vitest's JSON reports of a folder: 'N passed, N failed, N skipped'. Exits with 1 when nothing passed or anything failed.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const reports = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

const passed = sum('numPassedTests');
// A test file that cannot be loaded fails without containing a test.
const failed = Math.max(sum('numFailedTests'), reports.filter((report) => !report.success).length);
const skipped = sum('numPendingTests') + sum('numTodoTests');

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;

function sum(key) {
  return reports.reduce((total, report) => total + (report[key] ?? 0), 0);
}
