/** Reads the output of `git cat-file --batch` by id: a line `<id> <type> <size>`, then as many bytes and a line end. */
export function readBlobs(output: Buffer, ids: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  let at = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf('\n', at);
    const [, , size] = output.toString('latin1', at, lineEnd).split(' ');
    if (size === undefined) throw new Error(`git does not have the content ${id}`);
    const start = lineEnd + 1;
    at = start + Number(size) + 1;
    blobs.set(id, output.subarray(start, at - 1));
  }
  return blobs;
}
