import type { ContainerEngine, NetworkAccess } from '../core/sandbox.ts';
import type { Unavailable } from './unavailable.ts';

/** What a container is asked to do with the network. */
export interface AskedNetwork {
  /** Absent: that of the settings' default. */
  readonly network?: NetworkAccess | undefined;
  /** Whether its program is a server that this machine asks. */
  readonly isServer: boolean;
}

/** Why an engine cannot give a container this network: only podman makes a network before the program starts. */
export function networkFault(
  engine: ContainerEngine | undefined,
  { network = 'provider', isServer }: AskedNetwork,
): Unavailable | undefined {
  if (engine !== 'docker' || network === 'host') return undefined;
  if (network !== 'none')
    return {
      why: 'docker cannot limit connections to some addresses',
      hint: 'set `sandbox.engine` to podman, or `network` to none or host',
    };
  if (!isServer) return undefined;
  return {
    why: 'with docker and `network: none`, the `server` of the target cannot be reached',
    hint: 'set `sandbox.engine` to podman, or `network` to host',
  };
}
