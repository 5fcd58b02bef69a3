import { MeasurementError } from '../core/errors.ts';
import type { TargetServices } from '../core/plugin.ts';
import type { ProgramStart, Room } from '../core/sandbox.ts';
import type { World } from '../core/target.ts';
import { namedFiles } from './named-files.ts';

/** Whether the programs of a target run apart from this machine. */
export function isSandboxed({ sandbox }: Pick<TargetServices, 'sandbox'>): boolean {
  return sandbox !== undefined && sandbox.level !== 'process';
}

/** How a program is started in the sandbox of its target, with the workspace, the tools and the certificates. */
export async function entered(
  { sandbox }: Pick<TargetServices, 'sandbox'>,
  start: ProgramStart,
  { world, room }: { readonly world: Pick<World, 'workspace' | 'mcp'>; readonly room: Room },
): Promise<ProgramStart> {
  if (sandbox === undefined || sandbox.level === 'process') return start;
  const { workspace, mcp } = world;
  if (workspace === undefined || workspace.isForeign === true) throw noWorkspace();
  const certificates = CERTIFICATES.flatMap((name) => start.env[name] ?? []);
  return await sandbox.enter(start, {
    ...room,
    writable: [workspace.directory, ...room.writable],
    readable: [...(room.readable ?? []), ...namedFiles([...(mcp?.command ?? []), ...certificates])],
  });
}

const CERTIFICATES = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

function noWorkspace(): MeasurementError {
  return new MeasurementError('a sandbox needs a workspace of its own, not a directory of yours', {
    stage: 'workspace',
    kind: 'sandbox',
    hint: 'use an isolated workspace, or set `sandbox.level` to `process`',
  });
}
