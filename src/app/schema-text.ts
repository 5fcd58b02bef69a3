import { configJsonSchema } from '../authoring/config/config-json-schema.ts';
import { storedCaseJsonSchema } from '../authoring/stored/schema.ts';
import { suiteJsonSchema } from '../authoring/yaml/json-schema.ts';
import { builtins } from './registry.ts';

/** The JSON Schema of eval files, of the config or of stored test cases, for editors. */
export function schemaText(of: 'suite' | 'config' | 'case'): string {
  const { graders, targets } = builtins();
  const schemas = {
    suite: () => suiteJsonSchema(graders),
    config: () => configJsonSchema(targets),
    case: storedCaseJsonSchema,
  };
  const schema = schemas[of]();
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
