/** The rows of a JSON Schema's keys as a Markdown table, nested keys under the path of their parent. */
export function keyTable(schema, skip = []) {
  const rows = rowsOf(schema, '').filter(({ key }) => !skip.includes(key));
  if (rows.length === 0) return 'No keys of its own.\n';
  const lines = rows.map(({ key, type, needed, about }) => `| \`${key}\`${needed} | ${type} | ${about} |`);
  return `| key | value | meaning |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
}

function rowsOf(schema, path) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const key = `${path}${name}`;
    const row = {
      key,
      type: typeOf(value),
      needed: required.has(name) ? ' (required)' : '',
      about: aboutOf(value),
    };
    return [row, ...nested(value, key)];
  });
}

function nested(schema, key) {
  const forms = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const lists = forms.flatMap(({ items }) => (items === undefined ? [] : [items, ...(items.anyOf ?? [])]));
  const maps = forms.flatMap(({ additionalProperties: each }) => (typeof each === 'object' ? [each] : []));
  return [
    ...forms.flatMap((form) => rowsOf(form, `${key}.`)),
    ...lists.flatMap((form) => rowsOf(form, `${key}[].`)),
    ...maps.flatMap((form) => rowsOf(form, `${key}.NAME.`)),
  ];
}

function aboutOf({ description, default: preset }) {
  const sentence = (description ?? '').replace(/([^.?!])$/, '$1.');
  const text = sentence.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  if (preset === undefined || /default:/i.test(text)) return text;
  const shown = `Default: \`${JSON.stringify(preset)}\`.`;
  return text === '' ? shown : `${text} ${shown}`;
}

function typeOf(schema) {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  // Next to a type, they say which of its keys are required together.
  const forms = schema.type === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
  if (forms !== undefined) return [...new Set(forms.map(typeOf))].join(' or ');
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (Array.isArray(schema.type)) return schema.type.map((type) => words[type] ?? type).join(' or ');
  if (schema.type === 'array') return schema.items === undefined ? 'list' : `list of ${typeOf(schema.items)}`;
  return words[schema.type] ?? 'any';
}

const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const words = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'mapping',
  null: 'null',
};
