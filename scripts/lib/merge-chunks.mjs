import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Joins chunks of a build in place. esbuild cuts one for every set of entries that share something, and loading one
 * costs half a millisecond whatever its size. Here only some entries tell sets apart: what is shared by the same of
 * these becomes one file, and another entry that needs a part of it loads all of it.
 * @param metafile of the build, `root` the folder that its paths start from
 * @param telling sources of the entries that count, static or dynamic
 */
export async function mergeChunks({ metafile, root, telling }) {
  const outputs = outputsOf(metafile, root);
  const groups = groupsOf(outputs, new Set(telling));
  const places = new Map(groups.flatMap(placesOf));
  const joined = await Promise.all(groups.map((group) => joinedText(group, places)));
  const rest = [...outputs.keys()].filter((file) => !places.has(file));
  const rewritten = rest.map((file) => [file, withPlaces(file, places)]);
  for (const [file, text] of [...joined.flat(), ...rewritten]) writeFileSync(file, text);
  for (const file of places.keys()) for (const end of ['', '.map']) rmSync(`${file}${end}`);
}

/** By absolute path: the source of an entry, what a file exports, and what it imports statically. */
function outputsOf({ outputs }, root) {
  const files = Object.entries(outputs).filter(([file]) => file.endsWith('.js'));
  return new Map(
    files.map(([file, { entryPoint, exports, imports }]) => {
      const own = imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true);
      return [
        resolve(root, file),
        { entryPoint, exports, imports: own.map(({ path }) => resolve(root, path)) },
      ];
    }),
  );
}

function groupsOf(outputs, telling) {
  const imported = new Set([...outputs.values()].flatMap(({ imports }) => imports));
  const sets = new Map([...outputs.keys()].map((file) => [file, []]));
  for (const [file, { entryPoint }] of outputs) {
    // An entry that is imported like a chunk stays a file: were its own imports joined with its importers, they
    // would wait for each other.
    if (entryPoint === undefined || (!telling.has(entryPoint) && !imported.has(file))) continue;
    for (const reached of reachedFrom(file, outputs)) sets.get(reached).push(entryPoint);
  }
  const groups = new Map();
  for (const [file, set] of sets) {
    const { entryPoint, exports } = outputs.get(file);
    const key = set.join('\n');
    if (entryPoint === undefined && set.length > 0)
      groups.set(key, [...(groups.get(key) ?? []), { file, exports }]);
  }
  const several = [...groups.values()].filter((members) => members.length > 1);
  return several.map((members, index) => ({
    file: join(dirname(members[0].file), `shared-${index + 1}.js`),
    members,
  }));
}

function reachedFrom(file, outputs, reached = new Set()) {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const next of outputs.get(file).imports) reachedFrom(next, outputs, reached);
  return reached;
}

/** Where each member went, and what its exports are called there: members may export the same names. */
function placesOf({ file, members }) {
  return members.map((member, index) => {
    const names = new Map(member.exports.map((name) => [name, `${name}$${index}`]));
    return [member.file, { file, names }];
  });
}

async function joinedText({ file, members }, places) {
  const folder = dirname(file);
  const all = members.map((member) => {
    const names = [...places.get(member.file).names].map(([name, here]) => `${name} as ${here}`);
    return `export { ${names.join(', ')} } from "./${basename(member.file)}";`;
  });
  const { outputFiles } = await build({
    stdin: { contents: all.join('\n'), resolveDir: folder, sourcefile: 'members' },
    outfile: file,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'eof',
    plugins: [{ name: 'places', setup: (plugins) => resolveMembers(plugins, { file, places }) }],
  });
  return outputFiles.map(({ path, text }) => [path, text]);
}

/** Members are taken in; all else stays outside, under the name it has now. */
function resolveMembers(plugins, { file, places }) {
  const elsewhere = new Map([...places].filter(([, place]) => place.file !== file));
  plugins.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
    const target = resolve(resolveDir, path);
    const isMember = path.startsWith('.') && kind === 'import-statement' && places.get(target)?.file === file;
    return isMember ? { path: target } : { path, external: true };
  });
  plugins.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => ({
    contents: withPlaces(path, elsewhere),
    resolveDir: dirname(path),
  }));
}

/** The text of a file that imports from these places, with as many lines as before: its source map goes on to hold. */
function withPlaces(file, places) {
  const text = readFileSync(file, 'utf8');
  return text.replace(STATIC_IMPORT, (statement, names, path) => {
    const place = places.get(resolve(dirname(file), path));
    if (place === undefined) return statement;
    const there = JSON.stringify(path.replace(/[^/]*$/, basename(place.file)));
    if (names === undefined) return `import ${there};`;
    const renamed = names.replace(/([\w$]+)( as [\w$]+)?/g, (_, name, as = ` as ${name}`) => {
      return `${place.names.get(name)}${as}`;
    });
    return `import {${renamed}} from ${there};`;
  });
}

/** As esbuild writes them. */
const STATIC_IMPORT = /^import (?:\{([^}]*)\} from )?"(\.[^"]*)";$/gm;
