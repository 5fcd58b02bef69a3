import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Identifies the processes that have ids of their own: those of one container, or of one start of a machine. Undefined
 * where the system does not tell.
 */
export function ownPidSpace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}
