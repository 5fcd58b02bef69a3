import { isObject, type JsonObject } from '../../lib/json.ts';
import { fault, type Fault } from './fault.ts';

/** What is wrong with a JSON Schema; undefined: nothing. */
export type SchemaFault = (schema: JsonObject) => Promise<string | undefined>;

/** Tools whose `parameters` nothing could be held against; each at its place below the list's owner. */
export async function schemaFaultsOf(
  tools: unknown,
  { schemaFault }: { readonly schemaFault?: SchemaFault },
): Promise<readonly Fault[]> {
  if (!Array.isArray(tools) || schemaFault === undefined) return [];
  const faults: Fault[] = [];
  for (const [index, tool] of (tools as readonly unknown[]).entries()) {
    const parameters = isObject(tool) ? tool['parameters'] : undefined;
    if (!isObject(parameters)) continue;
    const wrong = await schemaFault(parameters as JsonObject);
    if (wrong === undefined) continue;
    const path = ['tools', index, 'parameters'];
    const message = `tools[${index}].parameters is no JSON Schema: ${wrong}`;
    faults.push(fault('invalid-schema', message, { path }));
  }
  return faults;
}
