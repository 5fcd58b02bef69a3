import { afterKillingAll } from '../lib/process/live-processes.ts';
import { startDetached } from '../lib/process/start-detached.ts';
import type { Engine } from './engine.ts';
import { atOnce } from './left-containers.ts';

/** The containers of this process by name, with their engines. */
const live = new Map<string, Engine>();

/** Has the engine remove a container if this process is told to end at once. Returns a function that takes this back. */
export function trackContainer(name: string, engine: Engine): () => void {
  afterKillingAll(removeAll);
  live.set(name, engine);
  return () => void live.delete(name);
}

/** One call of each engine for all its containers: this process does not wait for it. */
function removeAll(): void {
  const engines = new Map([...live.values()].map((engine) => [keyOf(engine), engine]));
  for (const [key, engine] of engines) {
    const names = [...live].flatMap(([name, each]) => (keyOf(each) === key ? [name] : []));
    const removing = ['rm', '--force', '--volumes', ...atOnce(engine), ...missingOk(engine), ...names];
    startDetached({ command: [...engine.command, ...removing], env: engine.env });
  }
  live.clear();
}

function keyOf({ command }: Engine): string {
  return JSON.stringify(command);
}

/** docker goes on with the others in any case. */
function missingOk({ kind }: Engine): readonly string[] {
  return kind === 'podman' ? ['--ignore'] : [];
}
