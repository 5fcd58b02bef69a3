import type { InspectionPlace, Installation } from '../../core/plugin.ts';
import { findProgram } from '../../lib/process/find-program.ts';
import { relativeProgram, rootedCommand } from '../program-path.ts';
import type { CliConfig } from './config.ts';

/** Finds the program of a target without starting it, because its effects are unknown. */
export async function inspectProgram({
  directory,
  target,
}: InspectionPlace<CliConfig>): Promise<Installation> {
  const about = { triedVersions: [], problems: [], notes: [] };
  if (target === undefined)
    return { ...about, program: '', problems: ['no command configured: set `command`'] };
  const { command } = target.config;
  const [relative] = relativeProgram(command);
  const program = relative ?? (typeof command === 'string' ? undefined : command[0]);
  if (
    program === undefined ||
    (relative === undefined && program.includes('/') && !program.startsWith('/'))
  ) {
    const why =
      program === undefined
        ? 'the shell looks up its programs'
        : 'it is looked up in the working directory of the agent';
    return { ...about, program: program ?? '', notes: [why] };
  }
  const [place = program] = rootedCommand([program], directory);
  const path = await findProgram(place, { cwd: directory, env: target.environment });
  if (path !== undefined) return { ...about, program, path };
  const where = place.includes('/') ? `no executable file at ${place}` : 'not found on PATH';
  return { ...about, program, problems: [`${where}; correct targets.${target.name}.command`] };
}
