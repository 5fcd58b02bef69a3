import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/lib/paths.mjs';

/**
 * Reads the one CPU profile of a folder: the time of each sample with the functions that were running, innermost
 * first, bundled ones by the file they were written in.
 * @returns a list of { us, frames: [{ file, name }] }; `file` is a path in the repository, `node:...` or ''
 */
export function readProfile(folder) {
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const place = placer();
  const stacks = new Map();
  const stackOf = (id) => {
    const known = stacks.get(id);
    if (known !== undefined) return known;
    const above = parents.has(id) ? stackOf(parents.get(id)) : [];
    const stack = [place(byId.get(id).callFrame), ...above];
    stacks.set(id, stack);
    return stack;
  };
  const totals = new Map();
  for (const [index, id] of samples.entries()) totals.set(id, (totals.get(id) ?? 0) + timeDeltas[index]);
  return [...totals].map(([id, us]) => ({ us, frames: stackOf(id) }));
}

/** Finds the source file of a bundled function. */
function placer() {
  const maps = new Map();
  const mapOf = (file) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  return ({ functionName: name, url, lineNumber, columnNumber }) => {
    if (!url.startsWith('file://')) return { file: url, name };
    const file = fileURLToPath(url);
    const entry = mapOf(file)?.findEntry(lineNumber, columnNumber);
    const source = entry?.originalSource;
    const written = source === undefined ? file : resolve(dirname(file), source);
    return { file: shortened(written), name: name === '' ? `:${(entry?.originalLine ?? 0) + 1}` : name };
  };
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

function shortened(path) {
  const modules = path.lastIndexOf('node_modules/');
  if (modules >= 0) return path.slice(modules);
  const source = path.lastIndexOf('/src/');
  return source >= 0 ? path.slice(source + 1) : relative(root, path);
}
