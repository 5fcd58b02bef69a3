import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readProfile } from '../lib/profile.mjs';
import { markdownTable, shown } from '../lib/table.mjs';
import { processor } from './processor.mjs';

/** What each layer may take of the processor time of the floor, and the folders that it is. */
const shares = [
  ['start', 0, []],
  ['parse', 0.15, ['src/authoring/']],
  ['plan', 0.05, ['src/app/', 'src/engine/plan', 'src/engine/schedule', 'src/cli/']],
  ['talk', 0.35, ['src/targets/', 'src/users/']],
  ['grade', 0.05, ['src/graders/', 'src/engine/grade-trial', 'src/core/grade', 'src/core/verdict']],
  ['engine', 0.1, ['src/engine/', 'src/core/', 'src/workspaces/', 'src/lib/']],
  ['log', 0.15, ['src/storage/', 'src/engine/event-stream', 'src/lib/redact']],
  [
    'show',
    0.05,
    ['src/sinks/', 'src/core/run-view', 'src/core/tally', 'src/core/totals', 'src/engine/sink-shelf'],
  ],
];

/** The folder that says most about a file decides. */
const places = shares
  .flatMap(([layer, , prefixes]) => prefixes.map((prefix) => ({ layer, prefix })))
  .toSorted((a, b) => b.prefix.length - a.prefix.length);

/** Where the processor time of a run goes, by a sampling profile of it. */
export async function layers(context, found) {
  const { assay, scratch, size } = context;
  const folder = join(scratch, 'profile');
  mkdirSync(folder);
  const cases = size.profiled;
  await assay(cases, { flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`] });
  const { floorUs, assayUs } = found.processor ?? (await processor(context));
  const times = new Map();
  const functions = new Map();
  for (const { us, frames } of readProfile(folder)) {
    const layer = layerOf(frames);
    times.set(layer, (times.get(layer) ?? 0) + us);
    const where = `${layer.padEnd(7)} ${nameOf(frames)}`;
    functions.set(where, (functions.get(where) ?? 0) + us);
  }
  // A sample lasts longer where the machine has more to do: the shares are right, their sum is what was measured.
  const busy = [...times].filter(([layer]) => layer !== 'idle' && layer !== 'start');
  const scale = assayUs / busy.reduce((sum, [, us]) => sum + us, 0);
  const perCase = (layer) => (times.get(layer) ?? 0) * scale;
  const rows = shares.map(([layer, share]) => {
    const us = perCase(layer);
    const budget = share * floorUs;
    if (share === 0) return [layer, shown(us), '', 'once a run'];
    return [layer, shown(us), shown(budget), us <= budget ? 'ok' : 'over'];
  });
  rows.push(
    ['memory', shown(perCase('memory')), '', 'garbage collection'],
    ['other', shown(perCase('other')), '', ''],
  );
  const top = [...functions].toSorted((a, b) => b[1] - a[1]).slice(0, 40);
  const listed = top.map(([where, us]) => `${shown(us * scale).padStart(6)} us  ${where}`);
  return {
    text: [
      `Processor time by layer, from a profile of ${cases} cases (garbage collection and native code apart):`,
      markdownTable(['layer', 'us a case', 'budget', 'is'], rows),
      ...(process.env.ASSAY_BENCH_FUNCTIONS === undefined ? [] : ['```', ...listed, '```']),
    ].join('\n'),
  };
}

function layerOf(frames) {
  const [{ name }] = frames;
  if (name === '(idle)') return 'idle';
  if (name === '(garbage collector)') return 'memory';
  if (name === '(program)' || name === '(root)') return 'other';
  if (frames.some(isLoading)) return 'start';
  const ours = frames.find(({ file }) => file.startsWith('src/'));
  if (ours !== undefined) return places.find(({ prefix }) => ours.file.startsWith(prefix))?.layer ?? 'start';
  return frames.some(({ file }) => /^node:(_http|net|internal\/(stream|http|net|timers|child))/.test(file))
    ? 'talk'
    : 'other';
}

function isLoading({ file, name }) {
  return /^node:internal\/(modules|bootstrap|vm|main)/.test(file) && !/^run_main|runMain/.test(name);
}

function nameOf(frames) {
  const [inner] = frames;
  const ours = frames.find(({ file }) => file.startsWith('src/'));
  const own = `${inner.file}:${inner.name}`;
  return ours === undefined || ours === inner ? own : `${own}  in ${ours.file}:${ours.name}`;
}
