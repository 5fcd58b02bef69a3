import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readProfile } from '../lib/profile.mjs';
import { markdownTable, shown } from '../lib/table.mjs';
import { processor } from './processor.mjs';

/** The share of the floor's processor time that each layer may use, with its folders. Native code belongs to no layer. */
const shares = [
  ['parse', 0.15, ['src/authoring/']],
  ['plan', 0.05, ['src/app/', 'src/engine/plan', 'src/engine/schedule', 'src/cli/']],
  ['talk', 0.35, ['src/targets/', 'src/users/']],
  ['grade', 0.05, ['src/graders/', 'src/engine/grade-trial', 'src/core/grade', 'src/core/verdict']],
  ['engine', 0.1, ['src/engine/', 'src/core/', 'src/workspaces/', 'src/lib/']],
  ['log', 0.15, ['src/storage/', 'src/engine/event-stream', 'src/lib/redact']],
  ['show', 0.05, ['src/sinks/', 'src/reading/', 'src/engine/sink-shelf']],
  ['memory', 0.1, []],
  ['native', undefined, []],
];

/** The most specific folder of a file decides. */
const places = shares
  .flatMap(([layer, , prefixes]) => prefixes.map((prefix) => ({ layer, prefix })))
  .toSorted((a, b) => b.prefix.length - a.prefix.length);

/** The processor time of a run by layer, from a sampling profile. */
export async function layers(context, found) {
  const { assay, scratch, size, functions } = context;
  const folder = join(scratch, 'profile');
  mkdirSync(folder);
  await assay(size.profiled, { flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`] });
  const { floorUs, assayUs } = found.processor ?? (await processor(context));
  const samples = readProfile(folder).map((sample) => ({ ...sample, layer: layerOf(sample.frames) }));
  // Samples are longer under load. So only the shares are used, scaled to the measured sum.
  const busy = samples.filter(({ layer }) => layer !== 'idle' && layer !== 'start');
  const scale = assayUs / busy.reduce((sum, { us }) => sum + us, 0);
  const byLayer = summed(samples, ({ layer }) => layer);
  const rows = shares.map(([layer, share]) => {
    const us = (byLayer.get(layer) ?? 0) * scale;
    if (share === undefined) return [layer, shown(us), '', ''];
    return [layer, shown(us), shown(share * floorUs), us <= share * floorUs ? 'ok' : 'over'];
  });
  const title = `Processor time per case by layer, from a profile of ${size.profiled} cases:`;
  const parts = [title, markdownTable(['layer', 'us', 'budget', 'is'], rows)];
  return { text: [...parts, ...(functions ? [topFunctions(busy, scale)] : [])].join('\n') };
}

function topFunctions(samples, scale) {
  const top = [...summed(samples, ({ layer, frames }) => `${layer.padEnd(7)} ${nameOf(frames)}`)]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 40);
  return top.map(([where, us]) => `${shown(us * scale).padStart(6)} us  ${where}`).join('\n');
}

function summed(samples, keyOf) {
  const sums = new Map();
  for (const sample of samples) sums.set(keyOf(sample), (sums.get(keyOf(sample)) ?? 0) + sample.us);
  return sums;
}

function layerOf(frames) {
  const [{ name }] = frames;
  if (name === '(idle)') return 'idle';
  if (name === '(garbage collector)') return 'memory';
  if (name === '(program)' || name === '(root)') return 'native';
  if (frames.some(isLoading)) return 'start';
  const ours = frames.find(({ file }) => file.startsWith('src/'));
  if (ours !== undefined) return places.find(({ prefix }) => ours.file.startsWith(prefix))?.layer ?? 'start';
  return frames.some(({ file }) => /^node:(_http|net|internal\/(stream|http|net|timers|child))/.test(file))
    ? 'talk'
    : 'native';
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
