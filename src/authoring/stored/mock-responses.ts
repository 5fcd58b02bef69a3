import * as z from 'zod';

import type { ToolMock } from '../../core/test-case.ts';
import { differingPaths, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { freeMapping } from '../yaml/grammar-parts.ts';
import { under, type Fault, type Path } from '../yaml/fault.ts';
import { schemaFaults } from '../yaml/schema-faults.ts';
import { unstorableFaults } from './unstorable.ts';

/** A case without the mocks of older files, and these mocks. */
export interface MovedResponses {
  readonly value: unknown;
  readonly mocks: readonly ToolMock[];
  readonly faults: readonly Fault[];
}

/** Moves `mock_responses` of older files from the expected tool calls of a case to mocks, in their order. */
export function movedMockResponses(value: unknown): MovedResponses {
  const calls = isObject(value) ? value['expected_tool_calls'] : undefined;
  if (!isObject(value) || !Array.isArray(calls) || !calls.some(hasResponses)) {
    return { value, mocks: [], faults: [] };
  }
  const faults: Fault[] = [];
  const responses: Response[] = [];
  const kept = calls.map((call: unknown, index) => {
    if (!hasResponses(call)) return call;
    const { mock_responses: written, ...rest } = call;
    const above = ['expected_tool_calls', index];
    const read = readResponses(written, above);
    faults.push(...read.faults.map((found) => under(above, found)));
    // A call without a tool is reported as such.
    if (typeof rest['tool'] === 'string') {
      const tool = rest['tool'];
      responses.push(...read.responses.map((each) => ({ tool, ...each })));
    }
    return rest;
  });
  return { value: { ...value, expected_tool_calls: kept }, mocks: responses.map(mockOf), faults };
}

function hasResponses(call: unknown): call is Record<string, unknown> {
  return isObject(call) && Object.hasOwn(call, 'mock_responses');
}

const response = z.strictObject({
  expected_params: freeMapping.nullable().default(null),
  response: z.custom<JsonValue>((value) => value !== undefined, {
    error: 'expected an answer',
    params: { expected: 'an answer' },
  }),
});

const responsesSchema = z.strictObject({ mock_responses: z.array(response).nullable() });

type Response = Readonly<z.infer<typeof response>> & { readonly tool: string };

function readResponses(
  written: unknown,
  above: Path,
): {
  readonly responses: readonly Omit<Response, 'tool'>[];
  readonly faults: readonly Fault[];
} {
  const value = { mock_responses: written };
  const parsed = responsesSchema.safeParse(value);
  if (parsed.success) {
    return { responses: parsed.data.mock_responses ?? [], faults: unstorableFaults(value, above) };
  }
  return {
    responses: [],
    faults: schemaFaults(parsed.error.issues, responsesSchema, { value, moreKeys: [], above }),
  };
}

/** A mock that a later mock could replace answers one call only; the next call goes to the later mock. */
function mockOf(moved: Response, position: number, all: readonly Response[]): ToolMock {
  const { tool, expected_params: params } = moved;
  const gives = all
    .slice(position + 1)
    .some((later) => later.tool === tool && areCompatible(params, later.expected_params));
  return {
    tool,
    ...(params === null ? { match: 'any' } : { match: 'partial', params }),
    ...(gives ? { times: 1 } : {}),
    answer: { result: moved.response },
  };
}

/** Whether one call can match both: every key that both have is equal. */
function areCompatible(one: JsonObject | null, other: JsonObject | null): boolean {
  if (one === null || other === null) return true;
  return Object.keys(one).every((key) => !Object.hasOwn(other, key) || fits(one[key], other[key]));
}

function fits(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => fits(item, other[index]));
  }
  if (isObject(one) && isObject(other)) return areCompatible(one as JsonObject, other as JsonObject);
  return differingPaths(one, other, 'partial').length === 0;
}
