import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts workers, and waits until all of them can take trials. Returns { stop() }. */
export async function startWorkers({ node, program }, count, { cwd, env, slots }) {
  const workers = Array.from({ length: count }, (_, index) => {
    const args = [program, 'worker', '--name', `worker-${index}`, '--concurrency', String(slots)];
    const child = spawn(node, [...args, '--grace', '1'], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { child, ended: once(child, 'exit') };
  });
  await Promise.all(workers.map(({ child, ended }) => ready(child, ended)));
  return {
    async stop() {
      for (const { child } of workers) child.kill('SIGINT');
      await Promise.all(workers.map(({ ended }) => ended));
    },
  };
}

function ready(child, ended) {
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    void ended.then(([code]) => reject(new Error(`a worker ended with ${code}`)));
  });
}
