const SPECIAL = /["\\]/;

/**
 * A list of texts as PostgreSQL reads it, for `$1::text::text[]`. Drivers escape a list element by element, which takes
 * several times as long.
 */
export function arrayText(values: readonly (string | number)[]): string {
  if (values.length === 0) return '{}';
  if (!SPECIAL.test(values.join(''))) return `{"${values.join('","')}"}`;
  return `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
