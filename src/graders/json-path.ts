/** The keys of `a.b[0].c` (or `a.b.0.c`); undefined for an invalid path. */
export function pathKeys(path: string): readonly string[] | undefined {
  const plain = path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\$?\./, '');
  const keys = plain.split('.');
  return keys.some((key) => key === '' || /[[\]]/.test(key)) ? undefined : keys;
}
