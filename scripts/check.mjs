// Every gate except the tests: first the build alone (it may install what the others need), then two at a time.
// Prints one line per step, and the whole output of failed steps.
//   node scripts/check.mjs [name ...]
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, inRoot, root } from './lib/paths.mjs';
import { capture, localBin, npm } from './lib/run.mjs';

const generated = [
  'schema.json',
  'config.schema.json',
  'test-case.schema.json',
  'openapi.json',
  'THIRD-PARTY-LICENSES.txt',
  'docs/reference',
];

/** Steps in starting order: long ones first, and each after the one that it `needs`. */
const steps = [
  { name: 'build', run: () => capture(process.execPath, [inRoot('scripts/setup.mjs')]) },
  { name: 'types', run: () => bin('tsc', '-p', 'tsconfig.json') },
  { name: 'web types', run: () => bin('tsc', '-p', 'web/tsconfig.json') },
  { name: 'unused', run: () => bin('knip', '--no-progress', '--no-config-hints') },
  { name: 'architecture', run: () => bin('vitest', 'run', '--project', 'unit', 'test/architecture.test.ts') },
  { name: 'lint', run: () => bin('oxlint', '--deny-warnings') },
  { name: 'format', run: () => bin('oxfmt', '--check', '.') },
  { name: 'generated', needs: 'build', run: checkGenerated },
  { name: 'package', needs: 'generated', run: checkPackage },
];

const wanted = selected(process.argv.slice(2));
const outcomes = new Map();
const started = performance.now();
if (wanted[0]?.name === 'build') await runStep(wanted.shift());
await Promise.all([worker(), worker()]);

const failed = [...outcomes].filter(([, outcome]) => outcome.code !== 0);
for (const [name, { output }] of failed) console.log(`\n--- ${name}\n${output.trim()}`);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`\n${outcomes.size - failed.length} of ${outcomes.size} checks passed in ${seconds} s`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function worker() {
  for (let step = wanted.shift(); step !== undefined; step = wanted.shift()) {
    step.done = runStep(step);
    await step.done;
  }
}

async function runStep(step) {
  const before = steps.find(({ name }) => name === step.needs);
  await before?.done;
  const began = performance.now();
  const outcome =
    before !== undefined && outcomes.get(before.name)?.code !== 0
      ? { code: 1, output: `not run, since ${before.name} failed` }
      : await step.run();
  outcomes.set(step.name, outcome);
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  console.log(`${outcome.code === 0 ? 'ok  ' : 'FAIL'} ${step.name.padEnd(14)} ${took.padStart(7)}`);
}

function selected(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`unknown check: ${unknown.join(', ')}; known: ${steps.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const needed = new Set(names.length === 0 ? steps.map(({ name }) => name) : names);
  for (const step of steps.toReversed()) if (needed.has(step.name) && step.needs) needed.add(step.needs);
  return steps.filter(({ name }) => needed.has(name));
}

/** Generated files must equal a fresh generation and the index of git. */
async function checkGenerated() {
  const fresh = await capture(process.execPath, [inRoot('scripts/generate.mjs'), '--check']);
  if (fresh.code !== 0) return fresh;
  const changed = await capture('git', ['--no-pager', 'diff', '--exit-code', '--stat', '--', ...generated]);
  if (changed.code !== 0)
    return { code: 1, output: `generated files differ from the committed ones:\n${changed.output}` };
  const others = await capture('git', ['ls-files', '--others', '--exclude-standard', '--', ...generated]);
  if (others.output.trim() !== '')
    return { code: 1, output: `generated files are not committed:\n${others.output}` };
  return { code: 0, output: '' };
}

/** Checks the tarball that a user would install. */
async function checkPackage() {
  const folder = join(cache, `pack-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const packed = await capture(npm.command, [
      ...npm.args,
      'pack',
      '--ignore-scripts',
      '--pack-destination',
      folder,
    ]);
    if (packed.code !== 0) return packed;
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const tarball = join(folder, `${name}-${version}.tgz`);
    const [lint, types] = await Promise.all([
      bin('publint', 'run', '--strict', tarball),
      bin('attw', '--profile', 'esm-only', '--no-emoji', tarball),
    ]);
    return { code: lint.code || types.code, output: lint.output + types.output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bin(name, ...args) {
  return capture(localBin(name), args);
}
