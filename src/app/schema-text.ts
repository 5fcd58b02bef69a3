import { configJsonSchema } from '../authoring/config/config-json-schema.ts';
import { suiteJsonSchema } from '../authoring/yaml/json-schema.ts';
import { builtins } from './registry.ts';

/** The JSON Schema of eval files or of the config, for editors. */
export function schemaText(of: 'suite' | 'config'): string {
  const { graders, targets } = builtins();
  const schema = of === 'suite' ? suiteJsonSchema(graders) : configJsonSchema(targets);
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
