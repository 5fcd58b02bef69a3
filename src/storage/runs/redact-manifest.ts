import type { Manifest } from '../../core/manifest.ts';
import type { JsonObject } from '../../lib/json.ts';
import { redactJson } from '../../lib/redact/redact-json.ts';
import type { Redaction } from './redaction.ts';

/** The manifest without secrets in the command's arguments and in what targets were given; all else as it is. */
export function redactManifest(manifest: Manifest, { json }: Pick<Redaction, 'json'>): Manifest {
  return {
    ...manifest,
    command: manifest.command.map((argument) => json(argument)),
    targets: manifest.targets.map((target) => ({ ...target, config: redactConfig(target.config, json) })),
  };
}

/** Keys are ours, and so is the type; values are what somebody wrote. */
function redactConfig(config: JsonObject, json: Redaction['json']): JsonObject {
  const redacted = redactJson(config, json, (key) => key);
  return config['type'] === undefined ? redacted : { ...redacted, type: config['type'] };
}
