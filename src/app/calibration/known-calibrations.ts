import { statSync } from 'node:fs';
import { join } from 'node:path';

import { messageOf } from '../../core/errors.ts';
import type { KnownCalibrations } from '../../reading/judge-agreement.ts';
import { CALIBRATION_FILE, loadCalibration } from './calibration-file.ts';

const MOST_PROJECTS = 100;

/** The calibrations of projects, read again when their file changes. */
export function knownCalibrations(): (projectRoot: string) => KnownCalibrations {
  const kept = new Map<string, { readonly version: string; readonly known: KnownCalibrations }>();
  return (projectRoot) => {
    const version = versionOf(join(projectRoot, CALIBRATION_FILE));
    const before = kept.get(projectRoot);
    if (before?.version === version) return before.known;
    const known = calibrationsIn(projectRoot);
    kept.delete(projectRoot);
    kept.set(projectRoot, { version, known });
    for (const old of [...kept.keys()].slice(0, -MOST_PROJECTS)) kept.delete(old);
    return known;
  };
}

/** The calibrations of a project, or why they cannot be read. */
function calibrationsIn(projectRoot: string): KnownCalibrations {
  try {
    return { calibrations: loadCalibration(projectRoot) };
  } catch (error) {
    return { calibrations: [], fault: messageOf(error) };
  }
}

function versionOf(file: string): string {
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    return status === undefined ? '' : `${status.ino} ${status.size} ${status.mtimeMs}`;
  } catch {
    // Reading it tells why.
    return 'unreadable';
  }
}
