import * as z from 'zod';

import { ISOLATION_LEVELS } from '../../core/isolation-level.ts';
import { CONTAINER_ENGINES } from '../../core/sandbox.ts';
import { hostAndPort } from '../../lib/http/host-and-port.ts';

const text = z.string().min(1);

const mount = z.strictObject({
  from: text.describe('File or folder of this machine, relative to the config.'),
  at: z
    .string()
    .regex(/^\/./, 'must be an absolute path, and not `/`')
    .optional()
    .describe('Absolute path inside the sandbox. Default: the same path as outside.'),
  write: z.boolean().optional().describe('Whether the programs may change it. Default: false.'),
});

/** `sandbox` of a target and of `run`. */
export const sandboxSection = z.strictObject({
  level: z
    .enum(ISOLATION_LEVELS)
    .optional()
    .describe(
      'process: ordinary processes (default). namespace: bubblewrap hides everything except the system, the workspace and the home folder of the agent. container: podman or docker runs the agent in an image.',
    ),
  network: z
    .union([
      z.enum(['none', 'provider', 'host']),
      z.array(z.string().refine(isHostAndPort, 'must be host:port, such as api.example.com:443')).min(1),
    ])
    .optional()
    .describe(
      'What the programs may connect to. none: nothing. provider: the model provider of the agent, and the URL in each variable `*_BASE_URL` (default of `namespace` and `container`). host: everything that this machine can reach. A list of host:port: only these.',
    ),
  image: text
    // The engine would take it for an option.
    .refine((image) => !image.startsWith('-'), 'must be the name of an image')
    .optional()
    .describe(
      'Of `container`: the image. It needs a shell, and the program of the agent unless `mountAgent` is set.',
    ),
  pull: z
    .boolean()
    .optional()
    .describe('Of `container`: fetch the image if this machine does not have it. Default: false.'),
  build: text
    .optional()
    .describe(
      'Of `container`, instead of `image`: a Dockerfile, relative to the config. The image is built before the first trial, with the folder of the file as its context.',
    ),
  engine: z
    .enum(CONTAINER_ENGINES)
    .optional()
    .describe('Of `container`: the program that makes containers. Default: the first that has the image.'),
  engineArgs: z
    .array(text)
    .optional()
    .describe('Of `container`: the first arguments of the engine, such as [--runtime, runc].'),
  mountAgent: z
    .boolean()
    .optional()
    .describe(
      'Of `container`: use the program of the agent and Node from this machine, read-only. The image needs glibc. Default: false.',
    ),
  memoryMb: z
    .int()
    .min(8)
    .max(2 ** 30)
    .optional()
    .describe('Of `container`: the most memory for the programs of an attempt, in MB. Default: no limit.'),
  cpus: z
    .number()
    .min(0.01)
    .max(4096)
    .optional()
    .describe(
      'Of `container`: the most processors for the programs of an attempt, such as 1.5. Default: all.',
    ),
  processes: z
    .int()
    // One is the shell that starts the program.
    .min(2)
    .max(2 ** 22)
    .optional()
    .describe(
      'Of `container`: the most processes and threads of an attempt, with the shell that starts it. Default: no limit.',
    ),
  diskMb: z
    .int()
    .min(1)
    .max(2 ** 30)
    .optional()
    .describe(
      'The most that the files of a workspace may need when the agent has ended, in MB. With more, the trial is errored (`sandbox`). Default: 2048.',
    ),
  mount: z.array(mount).optional().describe('More files and folders that the programs can see.'),
});

function isHostAndPort(place: string): boolean {
  return hostAndPort(place) !== undefined;
}
