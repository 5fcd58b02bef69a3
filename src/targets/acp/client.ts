import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, AgentTurn } from '../coding-agent/adapter.ts';
import { asObject, listAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { TOOL_SERVER, toolServer } from '../coding-agent/tool-server.ts';
import type { AcpConfig } from './acp-config.ts';
import { acpFailure } from './failure.ts';
import { permissionAnswer } from './permission.ts';

/** The meaning of one message of the agent for the client. */
export interface Heard {
  /** A message to send to the agent. */
  readonly send?: readonly JsonObject[];
  /** A notification during the prompt. */
  readonly notification?: JsonObject;
  readonly answer?: JsonObject;
  readonly failure?: AgentFailure;
  readonly sessionId?: string;
  readonly version?: string;
}

/** The client side of one turn. Requests are sent one after the other; each direction has its own ids. */
export interface AcpClient {
  readonly opening: readonly JsonObject[];
  hear(message: JsonObject): Heard;
  /** The agent's description of itself. */
  agentName(): string;
  /** Notifications that cancel the prompt. */
  cancel(): readonly JsonObject[];
  /** Sends a second prompt in the same session. */
  next(prompt: string): AcpClient;
}

export function acpClient(turn: AgentTurn<AcpConfig>): AcpClient {
  const state: State = { turn, asked: undefined, nextId: 0, agent: {}, sessionId: turn.resume, todo: [] };
  return clientOf(state, [request(state, { method: 'initialize', params: INTRODUCTION })]);
}

function clientOf(state: State, opening: readonly JsonObject[]): AcpClient {
  return {
    opening,
    agentName: () => textAt(objectAt(state.agent, 'agentInfo'), 'name') ?? '',
    hear(message) {
      const method = textAt(message, 'method');
      if (method === undefined) return answered(state, message);
      if (message['id'] === undefined) {
        return state.asked?.method === 'session/prompt' ? { notification: message } : {};
      }
      return { send: [reply(message, method, state.turn)] };
    },
    cancel() {
      const { asked, sessionId = '' } = state;
      if (asked?.method !== 'session/prompt') return [];
      return [{ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } }];
    },
    next(prompt) {
      const later: State = { ...state, turn: { ...state.turn, prompt }, asked: undefined, todo: [] };
      return clientOf(later, promptRequest(later));
    },
  };
}

interface State {
  readonly turn: AgentTurn<AcpConfig>;
  asked: Asked | undefined;
  nextId: number;
  /** The agent's description of itself. */
  agent: JsonObject;
  sessionId: string | undefined;
  /** Requests between the start of the session and the prompt. */
  todo: Step[];
}

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly choosesModel: boolean;
}

interface Step {
  readonly method: string;
  readonly params: JsonObject;
  readonly choosesModel?: boolean;
}

const INTRODUCTION: JsonObject = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'assay', version: '1' },
};

function request(state: State, { method, params, choosesModel = false }: Step): JsonObject {
  const id = state.nextId;
  state.nextId += 1;
  state.asked = { id, method, choosesModel };
  return { jsonrpc: '2.0', id, method, params };
}

/** Only permission requests are answered. */
function reply(message: JsonObject, method: string, { permissions }: AgentTurn<AcpConfig>): JsonObject {
  const head = { jsonrpc: '2.0', id: message['id'] ?? null };
  if (method === 'session/request_permission') {
    return { ...head, result: permissionAnswer(message, permissions) };
  }
  return { ...head, error: { code: -32_601, message: 'method not found' } };
}

function answered(state: State, message: JsonObject): Heard {
  const { asked } = state;
  if (asked === undefined || message['id'] !== asked.id) return {};
  state.asked = undefined;
  if (message['error'] !== undefined) {
    const failure = acpFailure(asObject(message['error']));
    const isRefusal = asked.choosesModel && failure.kind === 'runner-crash';
    return { failure: isRefusal ? { ...failure, kind: 'model-rejected' } : failure };
  }
  const result = objectAt(message, 'result');
  switch (asked.method) {
    case 'initialize':
      return introduced(state, result);
    case 'session/new':
    case 'session/load':
    case 'session/resume':
      return opened(state, result);
    case 'session/prompt':
      return { answer: result };
    default:
      return next(state);
  }
}

function introduced(state: State, result: JsonObject): Heard {
  state.agent = result;
  const version = textAt(objectAt(result, 'agentInfo'), 'version');
  if (result['protocolVersion'] !== 1) {
    const written = JSON.stringify(result['protocolVersion']);
    const message = `the agent speaks version ${written} of the Agent Client Protocol; assay supports version 1`;
    const hint = 'install a version of the agent that supports version 1 of the protocol';
    return { failure: { kind: 'runner-crash', message, hint } };
  }
  const place = { cwd: state.turn.directory, mcpServers: serversOf(state.turn) };
  const told = version === undefined ? {} : { version };
  if (state.sessionId === undefined)
    return { ...told, send: [request(state, { method: 'session/new', params: place })] };
  const method = resumeMethod(objectAt(result, 'agentCapabilities'));
  if (method === undefined) {
    const message = 'the agent takes only one message per session, but the case has more';
    const hint = 'set `max_turns` to 1, or choose another target';
    return { failure: { kind: 'runner-crash', message, hint } };
  }
  return { ...told, send: [request(state, { method, params: { ...place, sessionId: state.sessionId } })] };
}

/** The protocol has variables as a list of pairs. */
function serversOf(turn: State['turn']): readonly JsonObject[] {
  const server = toolServer(turn);
  if (server === undefined) return [];
  const env = Object.entries(server.env).map(([name, value]) => ({ name, value }));
  return [{ name: TOOL_SERVER, command: server.command, args: server.args, env }];
}

function resumeMethod(capabilities: JsonObject): string | undefined {
  if (objectAt(capabilities, 'sessionCapabilities')['resume'] !== undefined) return 'session/resume';
  return capabilities['loadSession'] === true ? 'session/load' : undefined;
}

function opened(state: State, result: JsonObject): Heard {
  const { mode, model } = state.turn.config;
  state.sessionId = textAt(result, 'sessionId') ?? state.sessionId;
  const sessionId = state.sessionId ?? '';
  if (mode !== undefined)
    state.todo.push({ method: 'session/set_mode', params: { sessionId, modeId: mode } });
  if (model !== undefined) {
    const choice = modelChoice(result, model);
    if (choice === undefined && state.turn.resume === undefined) {
      const message = 'the agent does not support choosing a model';
      const hint = 'remove `model` from the target';
      return { failure: { kind: 'model-rejected', message, hint }, sessionId };
    }
    if (choice !== undefined) {
      state.todo.push({ method: choice.method, params: { sessionId, ...choice.params }, choosesModel: true });
    }
  }
  return { ...next(state), sessionId };
}

function modelChoice(opening: JsonObject, model: string): Step | undefined {
  if (opening['models'] !== undefined && opening['models'] !== null) {
    return { method: 'session/set_model', params: { modelId: model } };
  }
  const option = listAt(opening, 'configOptions').find((each) => textAt(each, 'category') === 'model');
  const configId = textAt(option, 'id');
  if (configId === undefined) return undefined;
  return { method: 'session/set_config_option', params: { configId, value: model } };
}

function next(state: State): Heard {
  const [first, ...rest] = state.todo;
  state.todo = rest;
  return { send: first === undefined ? promptRequest(state) : [request(state, first)] };
}

function promptRequest(state: State): readonly JsonObject[] {
  const prompt = [{ type: 'text', text: state.turn.prompt }];
  const params = { sessionId: state.sessionId ?? '', prompt };
  return [request(state, { method: 'session/prompt', params })];
}
