import { addressGuard, type AddressGuard } from '../../lib/http/address-guard.ts';
import type { TargetPlugins } from './check-targets.ts';

/** What agents of the store may refer to and connect to. */
export interface StoreRules {
  /** Whether `${{ NAME }}` and `apiKeyEnv` of an agent may name this variable. */
  mayRefer(variable: string): boolean;
  readonly addresses: AddressGuard;
}

/** What an agent of the store is checked against. */
export interface AgentPlace {
  readonly plugins: TargetPlugins;
  readonly targets: readonly string[];
  readonly rules: StoreRules;
}

export interface StoreAccess {
  /** Whether every request needs a token: then several people write agents, and what they reach is listed. */
  readonly auth: 'none' | 'token';
  /** With `ASSAY_AGENT_ENV` and `ASSAY_AGENT_HOSTS`, each a list with commas or spaces. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The addresses of a name; default: the system is asked. */
  readonly lookup?: AddressGuard['lookup'];
}

/** With token auth only listed variables and listed private hosts; variables of the server itself never. */
export function storeRules({ auth, environment, lookup }: StoreAccess): StoreRules {
  const isOpen = auth === 'none';
  const variables = new Set(listed(environment['ASSAY_AGENT_ENV']));
  const privateHosts = listed(environment['ASSAY_AGENT_HOSTS']);
  return {
    mayRefer: (variable) => !isOfServer(variable) && (isOpen || variables.has(variable)),
    addresses: addressGuard({
      ...(isOpen ? {} : { privateHosts }),
      ...(lookup === undefined ? {} : { lookup }),
    }),
  };
}

/** Whether the server itself reads this variable. */
export function isOfServer(variable: string): boolean {
  return SERVER_VARIABLE.test(variable);
}

/** In any case, since Windows makes no difference between them. */
const SERVER_VARIABLE = /^(?:DATABASE_URL|ASSAY_.*)$/i;

function listed(text = ''): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
