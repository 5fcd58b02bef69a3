import { basename, dirname, relative } from 'node:path';

import type { Effect } from '../../core/transcript.ts';

type SkillUse = Extract<Effect, { skillUse: string }>;

/** A call of a skill tool; a namespace (`plugin:name`) is taken off the name and stays in the evidence. */
export function skillCall(fullName: string): SkillUse {
  const name = fullName.slice(fullName.lastIndexOf(':') + 1);
  const evidence = 'Loaded via skill tool';
  return {
    skillUse: name,
    confidence: 'explicit',
    evidence: name === fullName ? evidence : `${evidence} (${fullName})`,
  };
}

/** What reading a file says of skills. The path is absolute. */
export function skillRead(path: string, workspace: string): SkillUse | undefined {
  const evidence = `Read ${path}`;
  const folder = dirname(path);
  const name = basename(folder);
  if (basename(path) === 'SKILL.md') {
    if (SKILL_FOLDERS.has(basename(dirname(folder))))
      return { skillUse: name, confidence: 'strong', evidence };
    const below = relative(workspace, folder);
    const isBelow = below !== '' && !below.startsWith('..');
    return isBelow ? { skillUse: name, confidence: 'medium', evidence } : undefined;
  }
  const [, named] = /(?:^|\/)skills\/([^/]+)\/./.exec(path) ?? [];
  return named === undefined ? undefined : { skillUse: named, confidence: 'weak', evidence };
}

const SKILL_FOLDERS: ReadonlySet<string> = new Set(['skills', 'skill']);
