import { isAbsolute, join, resolve } from 'node:path';

import type { Effect } from '../../core/transcript.ts';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { filesReadBy } from '../../lib/shell/reads.ts';
import type { ToolTable } from './adapter.ts';
import { skillRead, skillCall } from './skill-use.ts';

/** The base folders for paths of a session. */
export interface EffectPlace {
  /** Absolute. */
  readonly workspace: string;
  /** Absolute; the meaning of `~`. */
  readonly home: string;
}

export interface CalledTool {
  readonly name: string;
  readonly input: JsonValue;
  /** Directory of the call, else of the session; empty counts as absent. */
  readonly directory?: string;
}

/** Derives the effects of calls from their names and arguments. */
export function toolEffects(tools: ToolTable, place: EffectPlace): (call: CalledTool) => readonly Effect[] {
  const reads = (paths: readonly string[]): readonly Effect[] =>
    paths.flatMap((path): Effect[] => {
      const skill = skillRead(path, place);
      return skill === undefined ? [{ fileRead: path }] : [{ fileRead: path }, skill];
    });
  return (call) => {
    const given = call.directory ?? '';
    const directory = given === '' ? place.workspace : resolve(place.workspace, given);
    const command = argument(tools.shell, call);
    if (command !== undefined) {
      return [{ command }, ...reads(filesReadBy(command, { directory, home: place.home }))];
    }
    const read = argument(tools.read, call);
    if (read !== undefined) return reads([absolute(read, directory, place.home)]);
    const written = argument(tools.write, call);
    if (written !== undefined) return [{ fileWrite: absolute(written, directory, place.home) }];
    const skill = argument(tools.skill, call);
    return skill === undefined ? [] : [skillCall(skill)];
  };
}

function argument(tools: ToolTable['shell'], { name, input }: CalledTool): string | undefined {
  const key = tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
  const value = key !== undefined && isObject(input) ? input[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function absolute(path: string, directory: string, home: string): string {
  if (isAbsolute(path)) return resolve(path);
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(directory, path);
}
