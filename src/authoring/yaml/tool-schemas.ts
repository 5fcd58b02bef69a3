import { isObject, type JsonObject } from '../../lib/json.ts';
import { fault, type Fault } from './fault.ts';

/** Checks a JSON Schema; returns the mistake, or undefined for a valid schema. */
export type SchemaFault = (schema: JsonObject) => Promise<string | undefined>;

/** Tools with invalid `parameters`, each at its place below the owner of the list. */
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
    const message = `tools[${index}].parameters is not a valid JSON Schema: ${wrong}`;
    faults.push(fault('invalid-schema', message, { path }));
  }
  return faults;
}
