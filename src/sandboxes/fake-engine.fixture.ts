import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ContainerEngine, SandboxPlace } from '../core/sandbox.ts';

export interface FakeEngine extends Disposable {
  readonly place: SandboxPlace;
  /** Sets the id of its only image. */
  setImage(id: string): void;
  /** What a container reads as its limits: a file of its control group and the value. */
  setLimit(line: string): void;
  /** Makes the next call of a command fail. */
  failOnce(command: string, problem: string): void;
  /** The commands that it was asked to run. */
  calls(): readonly string[];
}

/** The address of the connection `farm`. */
const FARM = 'ssh://me@farm.example.com:22/run/podman.sock';

/** A program with the name of an engine that starts nothing. Of its commands, those in `failing` fail. */
export function fakeEngine(kind: ContainerEngine, failing: readonly string[] = []): FakeEngine {
  const directory = mkdtempSync(join(tmpdir(), 'assay-engine-'));
  const [id, log, limit] = [join(directory, 'id'), join(directory, 'log'), join(directory, 'limit')];
  for (const file of [log, limit]) writeFileSync(file, '');
  const script = `#!/bin/sh
echo "$1" >> ${log}
if [ -e "${directory}/once-$1" ]; then cat "${directory}/once-$1" >&2; rm "${directory}/once-$1"; exit 125; fi
case "$1" in
  ${['none', ...failing].join('|')}) echo "Error: no $1 here" >&2; exit 125 ;;
  context) [ -n "$SAID_CONTEXT" ] || exit 1; echo "$SAID_CONTEXT" ;;
  system|--connection) echo "machine* ssh://core@127.0.0.1:50000/run/podman.sock"; echo "farm ${FARM}" ;;
  start) cat ${limit} ;;
  image) while read -r line; do echo "$line"; done < ${id}; echo PATH=/bin ;;
esac
`;
  writeFileSync(join(directory, kind), script);
  chmodSync(join(directory, kind), 0o755);
  return {
    place: { directory, operatorEnvironment: { PATH: `${directory}:/usr/bin:/bin` } },
    setImage: (name) => writeFileSync(id, `${name}\n`),
    setLimit: (line) => writeFileSync(limit, `${line}\n`),
    failOnce: (command, problem) => writeFileSync(join(directory, `once-${command}`), `Error: ${problem}\n`),
    calls: () => readFileSync(log, 'utf8').trimEnd().split('\n'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
