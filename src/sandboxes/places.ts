import type { ProgramNeeds } from '../core/sandbox.ts';

/** A file or folder of this machine, and its path inside a sandbox; all absolute. */
export interface Place {
  readonly from: string;
  readonly at: string;
  readonly canWrite: boolean;
}

/** The files and folders that a program needs, at their own paths. */
export function placesOfFiles({ writable, readable = [] }: ProgramNeeds): readonly Place[] {
  return [
    ...writable.map((path) => ({ from: path, at: path, canWrite: true })),
    ...readable.map((path) => ({ from: path, at: path, canWrite: false })),
  ];
}

/** The places in the order of mounting: a folder comes before what is mounted inside it. Each path is mounted once. */
export function boundPlaces(places: readonly Place[]): readonly Place[] {
  const byPath = new Map<string, Place>();
  for (const place of places) {
    const known = byPath.get(place.at);
    if (known === undefined || (place.canWrite && !known.canWrite)) byPath.set(place.at, place);
  }
  return [...byPath.values()].toSorted((left, right) => depthOf(left.at) - depthOf(right.at));
}

/** Whether a path is one of some folders, or inside one of them. */
export function isCovered(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

function depthOf(path: string): number {
  return path.split('/').length;
}
