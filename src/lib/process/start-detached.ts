interface Detached {
  readonly command: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program that outlives this process, without input and output. Nobody learns whether it worked. */
export function startDetached({ command: [program = '', ...args], env }: Detached): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { cwd: '/', env, detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
