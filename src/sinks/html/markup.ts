/** Text that is HTML already. Only `markup` creates it, so unescaped text cannot slip in. */
export interface Markup {
  readonly html: string;
}

type Value = string | number | Markup | readonly Markup[] | undefined;

/** HTML from a template. Every value that is not markup is escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let html = strings[0] ?? '';
  values.forEach((value, index) => {
    html += htmlOf(value) + (strings[index + 1] ?? '');
  });
  return { html };
}

export const nothing: Markup = { html: '' };

/** The first `length` characters of a text, and how many more there are. */
export function cutText(text: string, length: number): Markup {
  if (text.length <= length) return markup`${text}`;
  const left = (text.length - length).toLocaleString('en');
  return markup`${text.slice(0, length)}<span class="cut"> … ${left} more characters</span>`;
}

function htmlOf(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that a browser hides, or that reorder the text around them. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

function escapeHtml(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(UNSEEN, (character) => String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
