/** The evaluator that a text such as `contains hello` probably means, as YAML; undefined for other texts. */
export function evaluatorMeant(text: string): string | undefined {
  const [, type = '', value = ''] =
    /^\s*([A-Za-z]+(?:[-_][A-Za-z]+)*)(?:\s*[:=]\s*|\s+)(.+?)\s*$/s.exec(text) ?? [];
  return evaluatorWith(type, value);
}

/** The same for a mapping such as `contains: hello`. */
export function evaluatorOfMapping(value: Readonly<Record<string, unknown>>): string | undefined {
  const [only, ...others] = Object.entries(value);
  if (only === undefined || others.length > 0) return undefined;
  return typeof only[1] === 'string' ? evaluatorWith(only[0], only[1]) : undefined;
}

function evaluatorWith(written: string, value: string): string | undefined {
  const type = written.toLowerCase().replaceAll('-', '_');
  if (value === '' || value.length > LONGEST || !WITH_ONE_TEXT.includes(type)) return undefined;
  return `{ type: ${type}, value: ${yamlText(value)} }`;
}

/** Evaluators whose `value` is one text. */
const WITH_ONE_TEXT: readonly string[] = ['contains', 'equals', 'regex', 'starts_with', 'ends_with'];

const LONGEST = 200;

/** Plain where YAML reads the same text, else in quotes. */
function yamlText(text: string): string {
  const inner = /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
  const isPlain = /^[A-Za-z][\w .-]*$/.test(inner) && !/^(?:true|false|yes|no|on|off|null)$/i.test(inner);
  return isPlain ? inner : JSON.stringify(inner);
}
