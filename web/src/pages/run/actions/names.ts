import type { RunResource } from '../../../../../src/api/resources/run.ts';

/** What people write about a run, as its form holds it. */
export interface Names {
  readonly name: string;
  readonly line: string;
  /** One a line. */
  readonly tags: string;
  readonly note: string;
}

export const NAMES = ['name', 'line', 'tags', 'note'] as const;

export function namesOf({ name, line, tags, note }: RunResource): Names {
  return { name: name ?? '', line: line ?? '', tags: tags.join('\n'), note: note ?? '' };
}

/** The body of `PATCH /runs/{run}`: only what differs. */
export function changeOf(draft: Names, base: Names): Readonly<Record<string, unknown>> {
  const changed = NAMES.filter((field) => draft[field] !== base[field]);
  return Object.fromEntries(changed.map((field) => [field, valueOf(field, draft[field])]));
}

/** A draft over what somebody else wrote meanwhile, with the fields that both changed. */
export function mergedNames({ draft, base, theirs }: Readonly<Record<'draft' | 'base' | 'theirs', Names>>): {
  readonly draft: Names;
  readonly conflicts: readonly (keyof Names)[];
} {
  const own = NAMES.filter((field) => draft[field] !== base[field]);
  return {
    draft: { ...theirs, ...Object.fromEntries(own.map((field) => [field, draft[field]])) },
    conflicts: own.filter((field) => theirs[field] !== base[field] && theirs[field] !== draft[field]),
  };
}

function valueOf(field: keyof Names, text: string): unknown {
  if (field === 'tags') {
    return text
      .split('\n')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  }
  return text.trim() === '' ? null : text;
}
