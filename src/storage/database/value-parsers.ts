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
  const items: (string | null)[] = [];
  for (let at = 0; at < list.length;) {
    const isQuoted = list[at] === '"';
    const end = isQuoted ? closingQuote(list, at + 1) : commaOrEnd(list, at);
    const item = list.slice(isQuoted ? at + 1 : at, end);
    if (isQuoted) items.push(item.includes('\\') ? item.replaceAll(/\\(.)/gs, '$1') : item);
    else items.push(item === 'NULL' ? null : item);
    at = end + (isQuoted ? 2 : 1);
  }
  return items;
}

/** A regular expression overflows the stack at texts of some MB. */
function closingQuote(list: string, start: number): number {
  for (let at = start; ;) {
    const quote = list.indexOf('"', at);
    if (quote === -1) return list.length;
    let backslashes = 0;
    while (quote - backslashes > start && list[quote - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

function commaOrEnd(list: string, start: number): number {
  const comma = list.indexOf(',', start);
  return comma === -1 ? list.length : comma;
}
