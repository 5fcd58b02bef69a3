import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

export interface SkillFolder {
  /** The folder name, by which agents know the skill. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The skills of an entry in `skills`: the folder itself, or the folders in it, sorted; may be empty. */
export function skillFolders(entry: string, directory: string): readonly SkillFolder[] {
  const path = resolve(directory, entry);
  if (isSkill(path)) return [{ name: basename(path), path }];
  return namesIn(path)
    .map((name) => ({ name, path: join(path, name) }))
    .filter((skill) => isSkill(skill.path));
}

function isSkill(path: string): boolean {
  try {
    return statSync(join(path, 'SKILL.md')).isFile();
  } catch {
    return false;
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
