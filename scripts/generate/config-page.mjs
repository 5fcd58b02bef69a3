import { keyTable } from './key-table.mjs';
import { title } from './program.mjs';

/** Every key of the config; those of targets have their own page. */
export function configPage(schema) {
  const byName = (key) => [key, { ...schema.properties[key], additionalProperties: true }];
  const properties = { ...schema.properties, ...Object.fromEntries(['targets', 'runners'].map(byName)) };
  return [
    title('Config', 'from the schema of the config'),
    'Keys of `assay.config.{ts,mts,js,mjs,json,yaml}`. assay looks for this file in the folder of the first eval file and above it. Then it looks in the working directory and above it. The keys of a target depend on its type; see [Targets](targets.md).\n',
    keyTable({ properties }),
  ].join('\n');
}
