import { basename, dirname, isAbsolute, relative } from 'node:path';

import type { Effect } from '../../core/transcript.ts';

type SkillUse = Extract<Effect, { skillUse: string }>;

/** A call of a skill tool. The namespace in `plugin:name` is removed from the name and stays in the evidence. */
export function skillCall(fullName: string): SkillUse {
  const name = fullName.slice(fullName.lastIndexOf(':') + 1);
  const evidence = 'Loaded via skill tool';
  return {
    skillUse: name,
    confidence: 'explicit',
    evidence: name === fullName ? evidence : `${evidence} (${fullName})`,
  };
}

/** The skill that reading a file shows. The path is absolute; folders above workspace and home are ignored. */
export function skillRead(path: string, { workspace, home }: SkillPlace): SkillUse | undefined {
  const evidence = `Read ${path}`;
  const inWorkspace = below(workspace, path);
  const inner = inWorkspace ?? below(home, path) ?? path;
  if (basename(inner) === 'SKILL.md') {
    const folder = dirname(inner);
    const name = basename(folder);
    if (SKILL_FOLDERS.has(basename(dirname(folder))))
      return { skillUse: name, confidence: 'strong', evidence };
    const isBelow = inWorkspace !== undefined && folder !== '.';
    return isBelow ? { skillUse: name, confidence: 'medium', evidence } : undefined;
  }
  const [, named] = /^(?:.*\/)?skills\/([^/]+)\/./.exec(inner) ?? [];
  return named === undefined ? undefined : { skillUse: named, confidence: 'weak', evidence };
}

/** Absolute folders that skills are read from. */
export interface SkillPlace {
  readonly workspace: string;
  readonly home: string;
}

function below(folder: string, path: string): string | undefined {
  const inner = relative(folder, path);
  return inner === '' || inner === '..' || inner.startsWith('../') || isAbsolute(inner) ? undefined : inner;
}

const SKILL_FOLDERS: ReadonlySet<string> = new Set(['skills', 'skill']);
