/**
 * What is reached by the same of some entries stands in one chunk, so that a command loads few files: a file costs half
 * a millisecond whatever its size. What a program alone reaches stands in its own file, and what no entry reaches is
 * left to the bundler. Whatever a module imports is reached by at least the same entries, so that chunks never wait for
 * each other.
 * @param programs absolute paths of the entries that have a file of their own
 * @param often of other modules that are loaded at once by themselves
 * @returns the name function of a group of chunks
 */
export function chunkNames(programs, often) {
  let names;
  return (id, graph) => (names ??= namesOf([...programs, ...often], programs.length, graph)).get(id) ?? null;
}

function namesOf(entries, programs, graph) {
  const sets = new Map();
  for (const [position, entry] of entries.entries()) {
    for (const id of reachedFrom(entry, graph)) sets.set(id, [...(sets.get(id) ?? []), position]);
  }
  const shared = [...sets].filter(([, [first, second]]) => second !== undefined || first >= programs);
  return new Map(shared.map(([id, set]) => [id, `shared-${set.join('-')}`]));
}

/** An entry and all that it imports statically. */
function reachedFrom(entry, graph) {
  const reached = new Set([entry]);
  for (const id of reached) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}
