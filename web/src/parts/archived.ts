/** Whether a list shows archived entries. Absent: it shows those in use. */
export interface ArchivedFilter {
  readonly archived?: 'true' | 'any';
}

/** Reads the filter out of an address. */
export function archivedFilter(search: Readonly<Record<string, unknown>>): ArchivedFilter {
  // An address holds `true` as a boolean.
  const archived = String(search['archived']);
  return archived === 'true' || archived === 'any' ? { archived } : {};
}
