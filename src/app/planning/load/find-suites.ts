import { discoverSuites } from '../../../authoring/discover.ts';
import type { Problem } from '../../../core/problem.ts';
import { takesStore } from '../../../core/run-options.ts';
import { noStore } from '../../runs.ts';
import type { CaseSource } from './case-source.ts';
import type { LoadRequest } from './load-request.ts';

/** Files whose path ends with a suite id. Without any match: all files, so that their problems are reported. */
export async function findSuites(
  suites: LoadRequest['suites'],
  options: LoadRequest['options'],
  cwd: string,
) {
  const found = await findFiles(options, cwd);
  if (suites === undefined) return found;
  const files = found.files.filter((file) => [...suites].some((id) => file.endsWith(`/${id}`)));
  return files.length === 0 ? found : { ...found, files };
}

async function findFiles(options: LoadRequest['options'], cwd: string) {
  const { stored, patterns } = options;
  if (stored !== true) return await discoverSuites(patterns, cwd);
  if (takesStore(options)) return { files: [], problems: [] };
  return await (await import('../../../authoring/stored/find-files.ts')).findCaseFiles(patterns, cwd);
}

/** The stored cases of a request: as given, of the store, or of files. */
export async function caseSource(
  { options, surroundings, cases }: LoadRequest,
  files: readonly string[],
  projectRoot: string,
): Promise<CaseSource> {
  if (cases !== undefined) return cases;
  if (!takesStore(options)) {
    const { casesOfFiles } = await import('./case-source.ts');
    return casesOfFiles(files, { projectRoot, cwd: surroundings.cwd });
  }
  const store = await surroundings.store?.find();
  if (store === undefined) throw noStore();
  const { casesOfStore } = await import('./cases-of-store.ts');
  return casesOfStore(store, projectRoot);
}

/** With a hint at `--stored` where files look like stored cases. */
export async function hinted(problems: readonly Problem[], { stored }: LoadRequest['options'], cwd: string) {
  if (problems.length === 0 || stored === true) return problems;
  return await (await import('./hint-at-stored.ts')).hintAtStored(problems, cwd);
}
