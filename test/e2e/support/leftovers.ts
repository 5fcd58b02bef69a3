import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that should be gone. */
export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/**
 * Living processes that carry the text in their environment, arguments or working directory. Every process the program
 * starts inherits TMPDIR, so the path of a project's own temporary directory marks all of them.
 */
export function processesWith(marker: string): readonly Leftover[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
      const marked = [read(`/proc/${pid}/environ`), command, directoryOf(pid)].some((text) =>
        text.includes(marker),
      );
      return marked && !isDead(pid) ? [{ pid, command }] : [];
    });
}

function isDead(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

function directoryOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
