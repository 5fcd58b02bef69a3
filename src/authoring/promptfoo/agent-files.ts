import { isObject } from '../../lib/json.ts';
import { jsonIn } from '../../lib/text/json-in.ts';

/** The program of an agent that does what a provider did. */
export interface AgentFile {
  readonly text: string;
  /** Variables of the environment that it reads. */
  readonly passEnv: readonly string[];
}

/** A module that sends each prompt as an HTTP provider did, or the reason why the provider cannot be converted. */
export function httpAgent(id: string, config: Readonly<Record<string, unknown>>): AgentFile | string {
  const { url = id, method, headers = {}, body: written, queryParams = {} } = config;
  const answer = answerOf(config['transformResponse'] ?? config['responseParser'] ?? 'json ?? text');
  const body = typeof written === 'string' ? (bodyIn(written) ?? written) : written;
  const filled = JSON.stringify([url, headers, body ?? null, queryParams]);
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return 'it has no `url`';
  if (answer === undefined) return 'its `transformResponse` is not one expression';
  if (hasOthers(filled)) return 'its request reads variables of tests, or has filters';
  const verb = typeof method === 'string' ? method.toUpperCase() : body === undefined ? 'GET' : 'POST';
  const sent = verb === 'GET' || verb === 'HEAD' ? undefined : body;
  const text = `// Made from the provider ${id} of promptfoo. It sends each prompt to this address.
import { env } from 'node:process';

const request = ${JSON.stringify({ url, method: verb, headers, query: queryParams, body: sent }, null, 2)};
const answerOf = (json, text, context) => ${answer};

export default async (input, { signal }) => {
  const { url, method, headers, query, body } = filled(request, promptOf(input));
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
  const answer = answerOf(jsonOf(text), text, { response: { status, statusText, data: jsonOf(text) ?? text } });
  const output = answer?.output ?? answer;
  return typeof output === 'string' ? output : JSON.stringify(output);
};
${PROMPT_OF}
function filled(value, prompt) {
  if (typeof value === 'string')
    return value.replaceAll(/\\{\\{\\s*(?:prompt|env\\.(\\w+))\\s*\\}\\}/g, (_, name) =>
      name === undefined ? prompt : (env[name] ?? ''),
    );
  if (Array.isArray(value)) return value.map((each) => filled(each, prompt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, prompt)]));
}

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
  return { text, passEnv: [...filled.matchAll(ENV)].map(([, name = '']) => name) };
}

/** Another module for a provider in JavaScript. */
export function scriptAgent(file: string, provider: object): AgentFile {
  const text = `// Made from the provider ${file} of promptfoo. It gets each prompt, and no variables of tests.
import Provider from ${JSON.stringify(file)};

const provider = new Provider(${JSON.stringify(provider)});

export default async (input, { signal }) => {
  const prompt = promptOf(input);
  const { output, error } = await provider.callApi(prompt, { vars: {}, prompt: { raw: prompt } }, { abortSignal: signal });
  if (error) throw new Error(String(error));
  return typeof output === 'string' ? output : JSON.stringify(output);
};
${PROMPT_OF}`;
  return { text, passEnv: [] };
}

export function pythonAgent(file: string, called: string, provider: object): AgentFile {
  const text = `# Made from the provider ${file} of promptfoo. It gets each prompt, and no variables of tests.
import asyncio, importlib.util, inspect, json, os, sys

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(file)})
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("provider", path)
provider = importlib.util.module_from_spec(spec)
spec.loader.exec_module(provider)

prompt = sys.stdin.read()
answer = provider.${called}(prompt, json.loads(${JSON.stringify(JSON.stringify(provider))}), {"vars": {}})
if inspect.isawaitable(answer):
    answer = asyncio.run(answer)
if answer.get("error"):
    sys.exit(str(answer["error"]))
output = answer["output"]
print(output if isinstance(output, str) else json.dumps(output))
`;
  return { text, passEnv: [] };
}

const PROMPT_OF = `
/** A prompt of several messages is sent as JSON, as promptfoo sends it. */
function promptOf({ messages }) {
  if (messages.length === 1) return messages[0].content;
  return JSON.stringify(messages.map(({ role, content }) => ({ role, content })));
}
`;

const ENV = /\{\{\s*env\.(\w+)\s*\}\}/g;

/** Whether a text has templates other than the prompt and variables of the environment. */
function hasOthers(text: string): boolean {
  return /\{\{|\{%/.test(text.replaceAll(ENV, '').replaceAll(/\{\{\s*prompt\s*\}\}/g, ''));
}

/** A body in a text that is JSON around its prompt. */
function bodyIn(text: string): object | undefined {
  const value = jsonIn(text);
  return isObject(value) || Array.isArray(value) ? value : undefined;
}

/** The expression that selects the answer. Undefined: it is in a file, or has statements. */
function answerOf(written: unknown): string | undefined {
  if (typeof written !== 'string' || written.startsWith('file://')) return undefined;
  const code = written.trim().replace(/;$/, '');
  const isFunction = /^(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)/.test(code);
  if (!isFunction && /;|\breturn\b/.test(code)) return undefined;
  return isFunction ? `(${code}\n)(json, text, context)` : `(${code}\n)`;
}
