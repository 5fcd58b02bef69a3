import { checkCall, demand } from './expectation.ts';
import type { EventKind, ReadMatcher } from './event-kind.ts';
import { matching, type Given, type Rule } from './event-rules.ts';
import { checkCount, checkList } from './matcher.ts';
import type { AssertionOptions, Compared } from './options.ts';

/** The arguments of an assertion between the report and its options. */
export type Form =
  | 'matcher'
  | 'matcher once'
  | 'matcher and count'
  | 'count'
  | 'two matchers'
  | 'list'
  | 'filled list';

export type MethodRule = readonly [form: Form, rule: Rule];

/** The assertions for one kind of event. Each throws an AssertionError whose stack starts at its caller. */
export function eventGroup<Group>(
  kind: EventKind,
  rules: { readonly [Name in keyof Group]: MethodRule },
): Group {
  const methods = Object.entries(rules).map(([name, rule]) => [
    name,
    methodOf(kind, name, rule as MethodRule),
  ]);
  return Object.fromEntries(methods) as Group;
}

function methodOf(kind: EventKind, name: string, [form, rule]: MethodRule) {
  const method = (report: never, ...args: readonly unknown[]): void => {
    const { matchers, count, options } = taken(form, args);
    checkCall(report, options);
    checkCount(count);
    const read = matchers.map((matcher): ReadMatcher<unknown> => kind.read(matcher));
    const given: Given = { kind, events: kind.eventsOf(report), matchers: read, count };
    demand(
      rule(given),
      () => ({ label: kind.label, values: given.events.map((event) => kind.shown(event, read)) }),
      {
        method,
        operator: `${kind.group}.${name}`,
        options,
        compared: () => ({ report, ...comparedBy(form, matchers, given), observed: [...given.events] }),
      },
    );
  };
  return method;
}

/** The expected value as written, and the counted value. */
function comparedBy(form: Form, written: readonly unknown[], given: Given): Omit<Compared, 'report'> {
  switch (form) {
    case 'matcher':
      return { expected: written[0] };
    case 'matcher once':
    case 'matcher and count':
      return { expected: given.count, actual: matching(given).length };
    case 'count':
      return { expected: given.count, actual: given.events.length };
    case 'two matchers':
    case 'list':
    case 'filled list':
      return { expected: written };
    default:
      return form satisfies never;
  }
}

interface Taken {
  readonly matchers: readonly unknown[];
  readonly count: number;
  readonly options: AssertionOptions | undefined;
}

function taken(form: Form, [first, second, third]: readonly unknown[]): Taken {
  const options = (value: unknown) => value as AssertionOptions | undefined;
  switch (form) {
    case 'matcher':
      return { matchers: [first], count: 0, options: options(second) };
    case 'matcher once':
      return { matchers: [first], count: 1, options: options(second) };
    case 'matcher and count':
      return { matchers: [first], count: second as number, options: options(third) };
    case 'count':
      return { matchers: [], count: first as number, options: options(second) };
    case 'two matchers':
      return { matchers: [first, second], count: 0, options: options(third) };
    case 'filled list':
    case 'list':
      checkList(first);
      if (form === 'filled list' && first.length === 0) throw new TypeError('the list of matchers is empty');
      return { matchers: first, count: 0, options: options(second) };
    default:
      return form satisfies never;
  }
}
