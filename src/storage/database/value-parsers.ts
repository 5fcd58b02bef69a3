/** How values are read whose usual form differs between the drivers, by the number of their type. */
export const VALUE_PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number, // int8
  114: asWritten, // json
  3802: asWritten, // jsonb
  1184: isoTime, // timestamptz
};

/** What each connection is told first, so that times are read in one zone and form. */
export const SESSION_SETTINGS = `set time zone 'UTC'; set datestyle to 'ISO'`;

function asWritten(text: string): string {
  return text;
}

/** `2026-01-01 00:00:00.1234+00` as ISO 8601 with all six digits, so that texts sort as their times do. */
function isoTime(text: string): string {
  const [whole = '', part = ''] = text.replace(/\+00$/, '').split('.');
  return `${whole.replace(' ', 'T')}.${part.padEnd(6, '0')}Z`;
}
