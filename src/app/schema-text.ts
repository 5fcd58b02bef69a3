import { configJsonSchema } from '../authoring/config/config-json-schema.ts';
import { storedCaseJsonSchema } from '../authoring/stored/schema.ts';
import { suiteJsonSchema } from '../authoring/yaml/json-schema.ts';
import { allGraders, allTargets } from './registry.ts';
import { printableLine } from '../lib/text/printable-json.ts';

/** The JSON Schema of eval files, the config or stored test cases, as text for editors. */
export async function schemaText(of: 'suite' | 'config' | 'case'): Promise<string> {
  const schemas = {
    suite: async () => suiteJsonSchema(await allGraders()),
    config: async () => configJsonSchema(await allTargets()),
    case: storedCaseJsonSchema,
  };
  const schema = await schemas[of]();
  return printableLine(schema, 2);
}
