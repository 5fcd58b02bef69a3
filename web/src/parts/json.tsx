import type { KeptSettings } from '../../../src/core/manifest.ts';
import type { JsonValue } from '../../../src/lib/json.ts';
import { LongText } from './long-text.tsx';

interface JsonProps {
  readonly title: string;
  readonly value: JsonValue | KeptSettings;
}

/** A value behind a title that opens it. */
export function Json({ title, value }: JsonProps) {
  return (
    <details>
      <summary>{title}</summary>
      <LongText isCode text={jsonText(value)} />
    </details>
  );
}

/** A text as it is, anything else as indented JSON. */
export function jsonText(value: JsonValue | KeptSettings | undefined): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2) ?? '';
}
