import { z } from 'zod';

import { mock } from '../../authoring/yaml/world-grammar.ts';
import { mockOf } from '../../authoring/yaml/world-plan.ts';
import type { ToolMock } from '../../core/test-case.ts';
import { checkedBody } from './json-body.ts';

/** The mocks of a body, a list. Throws their mistakes. */
export function mocksOfBody(written: unknown): readonly ToolMock[] {
  return checkedBody(z.array(mock), written).map(mockOf);
}
