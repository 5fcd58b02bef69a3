import type { Manifest } from '../../core/manifest.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { guardedWork } from '../guarded.ts';
import { attemptDirectory } from './artifacts.ts';
import { keepFrozen } from './frozen.ts';
import { openRunLog } from './log.ts';
import { writeManifest } from './manifest.ts';
import { keptWorkspaces } from './kept-workspaces.ts';
import type { RunPaths } from './paths.ts';
import { redactManifest } from '../runs/redact-manifest.ts';
import { writeSpec } from './spec.ts';
import { storedRun } from './stored-run.ts';
import { keptEnd } from './told-at-end.ts';

interface OpenOptions {
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  readonly outputDirectory: string;
  readonly release: () => void;
}

/** Opens a run directory that this process has locked for writing. */
export function openRun(paths: RunPaths, options: OpenOptions): OpenRun {
  const { manifest: opened, redactor, outputDirectory, release } = options;
  writeManifest(paths, opened, redactor);
  return {
    stored: storedRun(paths, { outputDirectory, trustRows: true }),
    manifest: opened,
    redactor,
    openLog: (lastSequence) => openRunLog(paths, redactor, lastSequence),
    save: (manifest) => writeManifest(paths, manifest, redactor),
    finish: (manifest, told) => writeManifest(paths, { ...manifest, ...keptEnd(paths, told) }, redactor),
    cleaned: (manifest) => redactManifest(manifest, redactor),
    keepSpec: (spec) => writeSpec(paths, spec, redactor),
    keepFrozen: (copies) => keepFrozen(paths, copies, redactor),
    writing: (work) => guardedWork(paths.results, work),
    artifacts: (trial, attempt, onFailure) =>
      attemptDirectory(paths, { ...trial, attempt }, { redactor, onFailure }),
    workspaces: keptWorkspaces(paths),
    release,
  };
}
