import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { problemAt } from '../../../authoring/config/locate.ts';
import { originOf } from '../../../authoring/config/written-targets.ts';
import { schemaFaultsOf, type SchemaFault } from '../../../authoring/yaml/tool-schemas.ts';
import { messageOf } from '../../../core/errors.ts';
import type { Problem } from '../../../core/problem.ts';

/** The fault of an unusable JSON Schema. The compiler is loaded on first use. */
export const schemaFault: SchemaFault = async (schema) => {
  const { validatorOf } = await import('../../../graders/json-schema.ts');
  try {
    await validatorOf(JSON.stringify(schema));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/** Problems with the schemas of the tools that targets declare. */
export async function toolSchemaProblems({
  origin,
  written,
}: Pick<LoadedConfig, 'origin' | 'written'>): Promise<readonly Problem[]> {
  const found = await Promise.all(
    [...written.values()].map(async (entry) => {
      const { keys, place } = entry;
      const faults = await schemaFaultsOf(keys['tools'], { schemaFault });
      return faults.map((each) => {
        const path = place(each.path);
        return problemAt(originOf(entry, path, origin), { ...each, path });
      });
    }),
  );
  return found.flat();
}
