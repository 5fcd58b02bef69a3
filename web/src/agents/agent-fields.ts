import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import type { AgentResource } from '../../../src/api/resources/agent.ts';
import type { FormField, Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';
import type { WholeAgent } from './queries.ts';

const CONFIG_FIELDS: readonly FormField[] = [
  {
    name: 'config.system',
    title: 'System prompt',
    kind: 'text',
    help: 'It is the key system of the config. Type http has none: write the key prompt into the config.',
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
  { name: '', description: '', 'config.system': '', config: EXAMPLE, note: '' },
  '',
);

/** The newest version as the beginning of the next one. */
export function storedVersion({ config, version }: Pick<AgentResource, 'config' | 'version'>) {
  const { system, ...rest } = config;
  const isText = typeof system === 'string';
  const texts = {
    'config.system': isText ? system : '',
    config: JSON.stringify(isText ? rest : config, null, 2),
    note: '',
  };
  return stored(texts, String(version));
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
export function configIn({ config = '', 'config.system': system = '' }: Texts): JsonObject {
  const written: unknown = config.trim() === '' ? {} : JSON.parse(config);
  if (!isObject(written) || system === '') return written as JsonObject;
  return { ...(written as JsonObject), system };
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
