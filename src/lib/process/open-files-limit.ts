import { readFileSync } from 'node:fs';

/** How many file descriptors this process may open; Infinity when the system does not report it. */
export function openFilesLimit(): number {
  return softLimit(/^Max open files\s+(\S+)/m);
}

/** How many processes this user may have; Infinity when the system does not report it. */
export function processesLimit(): number {
  return softLimit(/^Max processes\s+(\S+)/m);
}

function softLimit(line: RegExp): number {
  try {
    const [, soft = ''] = line.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === '' || soft === 'unlimited' ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

/** Error codes of the system for no free descriptor. */
export function isOutOfFiles(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}
