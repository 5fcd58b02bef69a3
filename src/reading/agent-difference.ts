import { given } from '../lib/given.ts';
import { canonicalJson, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { agentPrompt } from './agent-prompt.ts';
import { lineChanges, type ChangedLine } from './line-changes.ts';

/** The differences between two versions of an agent. */
export interface AgentDifference {
  /** Lines of the prompt, in order. Empty if it is the same. */
  readonly prompt: readonly ChangedLine[];
  /** Changed tools, by name. */
  readonly tools: readonly Change[];
  /** All other changed keys. */
  readonly keys: readonly Change[];
}

/** A change. An absent member means that the value was added or removed. */
export interface Change {
  readonly name: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

export function agentDifference(before: JsonObject, after: JsonObject): AgentDifference {
  const { key: keyBefore, prompt: promptBefore, rest: restBefore } = agentPrompt(before);
  const { key: keyAfter, prompt: promptAfter, rest: restAfter } = agentPrompt(after);
  if (keyBefore !== undefined && keyAfter !== undefined && keyBefore !== keyAfter) {
    return { prompt: [], tools: [], keys: changesOf(Object.entries(before), Object.entries(after)) };
  }
  const { tools: toolsBefore, ...keysBefore } = restBefore;
  const { tools: toolsAfter, ...keysAfter } = restAfter;
  return {
    prompt: promptBefore === promptAfter ? [] : lineChanges(linesOf(promptBefore), linesOf(promptAfter)),
    tools: changesOf(toolsByName(toolsBefore), toolsByName(toolsAfter)),
    keys: changesOf(Object.entries(keysBefore), Object.entries(keysAfter)),
  };
}

function linesOf(prompt: string | undefined): readonly string[] {
  return prompt?.split(/\r?\n/) ?? [];
}

type Named = readonly (readonly [string, JsonValue | undefined])[];

function toolsByName(tools: JsonValue | undefined): Named {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: JsonValue) => [String(isObject(tool) ? tool['name'] : tool), tool]);
}

function changesOf(before: Named, after: Named): readonly Change[] {
  const [was, is] = [new Map(before), new Map(after)];
  return [...new Map([...was, ...is]).keys()].flatMap((name): readonly Change[] => {
    const [old, now] = [was.get(name), is.get(name)];
    if (isEqual(old, now)) return [];
    return [{ name, ...given({ before: old, after: now }) }];
  });
}

/** Compares values regardless of the order of keys. */
function isEqual(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}
