/**
 * Modules that the same entries reach share a chunk, so that a command loads few files: a file costs half
 * a millisecond regardless of its size. Modules that only one program reaches are in its own file. Those that no entry
 * reaches are left to the bundler. The imports of a module are reached by at least the same entries, so chunks have no
 * cycles.
 * @param programs absolute paths of the entries with their own file
 * @param often absolute paths of other modules that are often loaded by themselves
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

/** An entry and all its static imports. */
function reachedFrom(entry, graph) {
  const reached = new Set([entry]);
  for (const id of reached) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}
