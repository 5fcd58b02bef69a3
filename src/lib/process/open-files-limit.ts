import { readFileSync } from 'node:fs';

/** How many files, pipes and sockets this process may have open at once; Infinity where the system does not tell. */
export function openFilesLimit(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === '' || soft === 'unlimited' ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

/** The system's words for having none left. */
export function isOutOfFiles(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}
