export function kill(pid: number, killed: Set<number>): void {
  killed.add(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has died, or belongs to another account.
  }
}
