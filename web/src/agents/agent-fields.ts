import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import type { AgentResource } from '../../../src/api/resources/agent.ts';
import { agentPrompt } from '../../../src/reading/agent-prompt.ts';
import type { FormField, Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';
import type { WholeAgent } from './queries.ts';

const CONFIG_FIELDS: readonly FormField[] = [
  {
    name: 'config.system',
    title: 'System prompt',
    kind: 'text',
    also: ['config.prompt'],
    help: (texts) =>
      promptKeyIn(texts) === 'prompt'
        ? 'It is the key prompt of the config. An HTTP agent gets it as metadata.prompt in each request.'
        : 'It is the key system of the config.',
  },
  {
    name: 'config',
    title: 'Config',
    kind: 'json',
    help: 'A JSON object: a target as in the config file, of type http, openai-compatible or model.',
  },
  { name: 'note', title: 'Note', kind: 'line', help: 'What is new in this version.' },
];

const DESCRIPTION: FormField = { name: 'description', title: 'Description', kind: 'text' };

export const VERSION_FIELDS = CONFIG_FIELDS;

export const AGENT_FIELDS: readonly FormField[] = [
  {
    name: 'name',
    title: 'Name',
    kind: 'line',
    help: 'It never changes. In runs it is the name of the target, so no target of the config may have it.',
  },
  DESCRIPTION,
  ...CONFIG_FIELDS,
];

export const DESCRIPTION_FIELDS: readonly FormField[] = [DESCRIPTION];

export const MOCK_FIELDS: readonly FormField[] = [
  {
    name: 'mocks',
    title: 'Tool mocks',
    kind: 'json',
    help: 'A JSON list: [{"tool": "refund", "params": {"id": 7}, "result": "done"}]. The first that matches answers.',
  },
];

const EXAMPLE = '{\n  "type": "openai-compatible",\n  "baseUrl": "",\n  "model": ""\n}';

export const NEW_AGENT = stored(
  { name: '', description: '', 'config.system': '', promptKey: '', config: EXAMPLE, note: '' },
  '',
);

/** A new agent that begins as a target of the config, whose name it cannot have. */
export function newAgentOf(target: string, config: JsonObject): KeptEdit<Texts> {
  return stored({ name: `${target}-agent`, description: '', ...configTexts(config), note: '' }, '');
}

/** The newest version as the beginning of the next one. */
export function storedVersion({ config, version }: Pick<AgentResource, 'config' | 'version'>) {
  return stored({ ...configTexts(config), note: '' }, String(version));
}

function configTexts(config: JsonObject) {
  const { prompt, rest, key } = agentPrompt(config);
  return {
    'config.system': prompt ?? '',
    promptKey: key === 'prompt' ? key : '',
    config: JSON.stringify(rest, null, 2),
  };
}

export function storedDescription({ description, updated_at: version }: AgentResource): KeptEdit<Texts> {
  return stored({ description: description ?? '' }, version);
}

export function storedMocks({ agent, mocks }: WholeAgent): KeptEdit<Texts> {
  return stored({ mocks: JSON.stringify(mocks, null, 2) }, agent.updated_at);
}

function stored(texts: Texts, version: string): KeptEdit<Texts> {
  return { now: texts, base: texts, version };
}

/** The config that a form says. What is not an object is sent as it is: the server says what is wrong. */
export function configIn(texts: Texts): JsonObject {
  const { config = '', 'config.system': prompt = '' } = texts;
  const written: unknown = config.trim() === '' ? {} : JSON.parse(config);
  if (!isObject(written) || prompt === '') return written as JsonObject;
  return { ...(written as JsonObject), [promptKeyIn(texts)]: prompt };
}

/** The key of the config that holds the system prompt; `promptKey` is the one that it was read from. */
function promptKeyIn({ config = '', promptKey = '' }: Texts): 'prompt' | 'system' {
  return promptKey === 'prompt' || typeIn(config) === 'http' ? 'prompt' : 'system';
}

/** Undefined also while the text is no JSON yet. */
function typeIn(config: string): unknown {
  try {
    const written: unknown = JSON.parse(config);
    return isObject(written) ? written['type'] : undefined;
  } catch {
    return undefined;
  }
}

/** As the API takes it. An empty text is left out. */
export function agentBody({ name = '', description = '', note = '', ...texts }: Texts) {
  return {
    name,
    config: configIn(texts),
    ...(description === '' ? {} : { description }),
    ...(note === '' ? {} : { note }),
  };
}
