/** Kills a process, and remembers that. */
export function kill(pid: number, killed: Set<number>): void {
  killed.add(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It died in the meantime, or belongs to somebody else.
  }
}
