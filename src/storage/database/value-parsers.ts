/** Parsers, by the number of the type, for values that the two drivers read differently. */
export const VALUE_PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number, // int8
  114: asWritten, // json
  3802: asWritten, // jsonb
  1184: isoTime, // timestamptz
  1009: textList, // text[]
};

/** The first statements of each connection. They set one time zone and one format of times. */
export const SESSION_SETTINGS = `set time zone 'UTC'; set datestyle to 'ISO'`;

function asWritten(text: string): string {
  return text;
}

/** Writes `2026-01-01 00:00:00.1234+00` as ISO 8601 with six digits, so that sorting the texts sorts the times. */
function isoTime(text: string): string {
  const [whole = '', part = ''] = text.replace(/\+00$/, '').split('.');
  return `${whole.replace(' ', 'T')}.${part.padEnd(6, '0')}Z`;
}

/** Drivers read lists character by character, which takes most of the time of reading many cases. */
function textList(text: string): readonly (string | null)[] {
  const list = text.slice(1, -1);
  if (list === '') return [];
  if (!list.includes('"') && !list.includes('NULL')) return list.split(',');
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)].map(([item, quoted]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, '$1');
    return item === 'NULL' ? null : item;
  });
}
