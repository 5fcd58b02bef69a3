import type { CaseSetResource } from '../../../src/api/resources/case-set.ts';
import type { FormField, Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';

export const SET_FIELDS: readonly FormField[] = [
  { name: 'name', title: 'Name', kind: 'line', help: 'At most 255 characters. No other set has it.' },
  { name: 'description', title: 'Description', kind: 'text', help: 'What the set is for.' },
];

export const NEW_SET: KeptEdit<Texts> = {
  now: { name: '', description: '' },
  base: { name: '', description: '' },
  version: '',
};

export function storedSet({ name, description, updated_at: version }: CaseSetResource): KeptEdit<Texts> {
  const texts = { name, description: description ?? '' };
  return { now: texts, base: texts, version };
}

/** As the API takes it. */
export function setBody({ name = '', description = '' }: Texts) {
  return { name, description: description === '' ? null : description };
}
