import { isObject } from '../../lib/json.ts';
import { jsonIn } from '../../lib/text/json-in.ts';
import { moduleFault } from '../../lib/modules/module-fault.ts';
import { inComment, PROMPT_OF, type AgentFile } from './agent-files.ts';

/** An HTTP provider, and where its files are. */
interface HttpProvider {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** The path of a file from the folder of the program; undefined if it cannot be read. */
  place(file: string): string | undefined;
}

/** A module that sends each prompt as an HTTP provider did, or the reason why the provider cannot be converted. */
export function httpAgent({ id, config, place }: HttpProvider): AgentFile | string {
  const { url = id, method, headers = {}, body: written, queryParams = {} } = config;
  const key =
    (config['transformResponse'] ?? undefined) === undefined ? 'responseParser' : 'transformResponse';
  const answer = answerCode(config[key] ?? 'json ?? text', place);
  const body = typeof written === 'string' ? (bodyIn(written) ?? written) : written;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return 'it has no `url`';
  if ('why' in answer) return `its \`${key}\` ${answer.why}`;
  const read = templatesIn([url, headers, written ?? null, queryParams]);
  if ('why' in read) return read.why;
  const templated = templateKey(body);
  if (templated !== undefined) return `its body has the key \`${templated}\``;
  const verb = typeof method === 'string' ? method.toUpperCase() : body === undefined ? 'GET' : 'POST';
  const sent = verb === 'GET' || verb === 'HEAD' ? undefined : body;
  const parsesTexts = typeof written === 'object';
  const request = { url, method: verb, headers, query: queryParams, body: sent, parsesTexts };
  const text = httpModule(id, request, answer.code);
  if (moduleFault('/agent.mjs', text) !== undefined) return `its \`${key}\` is not JavaScript`;
  return { text, ...read };
}

/** `answer`: code that declares `answerOf`. */
function httpModule(id: string, request: object, answer: string): string {
  return `// Made from the provider ${inComment(id)} of promptfoo. It sends each prompt to this address.
import { env } from 'node:process';

const request = ${JSON.stringify(request, null, 2)};
${answer}

export default async (input, { signal }) => {
  const vars = { ...input.vars, prompt: promptOf(input) };
  const { url, method, headers, query } = filled({ ...request, body: undefined }, vars);
  const body = request.parsesTexts ? parsedTexts(filled(request.body, vars)) : filled(request.body, vars);
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const isText = body === undefined || typeof body === 'string';
  const response = await fetch(address, {
    method,
    headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...lowerCase(headers) },
    body: isText ? body : JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(\`status \${response.status}: \${text.slice(0, 500)}\`);
  const { status, statusText } = response;
  const answer = await answerOf(jsonOf(text), text, { response: { status, statusText, data: jsonOf(text) ?? text } });
  const output = answer?.output ?? answer;
  return typeof output === 'string' ? output : JSON.stringify(output);
};
${PROMPT_OF}${TOOLS}`;
}

/** What the module does with templates, headers and answers. */
const TOOLS = `
function filled(value, vars) {
  if (typeof value === 'string' && value.startsWith('{{='))
    return parsed(filled(value.replace('{{=', '{{'), vars));
  if (typeof value === 'string')
    return value.replaceAll(/\\{\\{\\s*([\\w.-]+)((?:\\s*\\|\\s*\\w+)*)\\s*\\}\\}/g, (_, name, filters) => {
      const names = filters.split('|').slice(1).map((each) => each.trim());
      return textOf(names.reduce((found, filter) => FILTERS[filter](found), valueOf(name, vars)));
    });
  if (Array.isArray(value)) return value.map((each) => filled(each, vars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [filled(key, vars), filled(each, vars)]));
}

/** Texts in a body that are lists or mappings in JSON are sent as such, as in promptfoo. */
function parsedTexts(value) {
  if (typeof value === 'string') return /^\\s*[[{]/.test(value) ? parsed(value) : value;
  if (Array.isArray(value)) return value.map(parsedTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, parsedTexts(each)]));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A variable that the test does not have is empty, as in promptfoo. */
function valueOf(name, vars) {
  const [first, ...rest] = name.replace(/^vars\\./, '').split('.');
  if (first === 'env') return env[rest[0]] ?? '';
  return rest.reduce((found, key) => found?.[key], vars[first]) ?? '';
}

function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const FILTERS = {
  dump: (value) => JSON.stringify(value),
  safe: (value) => value,
  trim: (value) => textOf(value).trim(),
  upper: (value) => textOf(value).toUpperCase(),
  lower: (value) => textOf(value).toLowerCase(),
  urlencode: (value) => encodeURIComponent(textOf(value)),
};

function lowerCase(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
`;

const FILTERS = new Set(['dump', 'safe', 'trim', 'upper', 'lower', 'urlencode']);

/** The variables of the environment and of tests in a request, or what of its templates the program does not know. */
function templatesIn(request: unknown): Pick<AgentFile, 'passEnv' | 'vars'> | { readonly why: string } {
  const passEnv = new Set<string>();
  const vars = new Set<string>();
  const text = JSON.stringify(request);
  const rest = text.replaceAll(
    /\{\{\s*([\w.-]+)((?:\s*\|\s*\w+)*)\s*\}\}/g,
    (whole, name: string, filters: string) => {
      const unknown = filters.split('|').some((each, index) => index > 0 && !FILTERS.has(each.trim()));
      const [first = '', second] = name.replace(/^vars\./, '').split('.');
      if (unknown || name === 'env' || name === 'vars') return whole;
      if (first === 'env' && second !== undefined) passEnv.add(second);
      else if (first !== 'prompt') vars.add(first);
      return '';
    },
  );
  const [other] = /\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}/.exec(rest) ?? [];
  if (other !== undefined)
    return { why: `its request has \`${other}\`; known filters are ${[...FILTERS].join(', ')}` };
  return { passEnv: [...passEnv], vars: [...vars] };
}

/** A key with a template in a body. promptfoo sends such a key as it is written. */
function templateKey(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const entries = Object.entries(body);
  const [found] = entries.find(([key]) => /\{[{%#]/.test(key)) ?? [];
  return found ?? entries.map(([, each]) => templateKey(each)).find((key) => key !== undefined);
}

/** A body in a text that is JSON around its placeholders. Those outside of quotes become texts with `{{=`. */
function bodyIn(text: string): object | undefined {
  const quoted = text.replaceAll(
    /"(?:[^"\\]|\\.)*"|\{\{([^{}]*)\}\}/gs,
    (whole: string, inner: string | undefined) =>
      inner === undefined ? whole : JSON.stringify(`{{=${inner}}}`),
  );
  const value = jsonIn(quoted);
  return isObject(value) || Array.isArray(value) ? value : undefined;
}

/** Code that declares `answerOf`, which selects the answer: from an expression, a function, statements or a file. */
function answerCode(
  written: unknown,
  place: HttpProvider['place'],
): { readonly code: string } | { readonly why: string } {
  if (typeof written !== 'string') return { why: 'is not a text' };
  const declared = 'const answerOf = (json, text, context) =>';
  if (written.startsWith('file://')) {
    const [, path = '', name = 'default'] = /^file:\/\/(.+?\.[cm]?[jt]s)(?::(\w+))?$/.exec(written) ?? [];
    const file = path === '' ? undefined : place(path);
    if (file === undefined) return { why: `in ${written} cannot be read as JavaScript` };
    const called = `(parser[${JSON.stringify(name)}] ?? parser.default?.[${JSON.stringify(name)}])`;
    return {
      code: `import * as parser from ${JSON.stringify(file)};\n${declared} ${called}(json, text, context);`,
    };
  }
  const code = written.trim().replace(/;$/, '');
  const isFunction = /^(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)/.test(code);
  if (isFunction) return { code: `${declared} (${code}\n)(json, text, context);` };
  if (/\breturn\b/.test(code)) return { code: `${declared} {\n${code}\n};` };
  if (code.includes(';')) return { why: 'has statements and no `return`' };
  return { code: `${declared} (${code}\n);` };
}
