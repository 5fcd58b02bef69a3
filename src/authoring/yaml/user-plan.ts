import { enclosedParts, enclosingTexts } from '../../core/enclosing-texts.ts';
import type { UserMessage } from '../../core/message.ts';
import type { Persona, ScriptedPlan, SimulatedPlan, UserPlan } from '../../core/user.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { fault, type Fault, type Path } from './fault.ts';
import type { TestGrammar } from './grammar.ts';
import { messagesOf, type MessagePlace } from './messages.ts';
import { fillInput } from './fill-input.ts';
import { fillVars } from './vars.ts';

export interface UserPlace {
  readonly vars: JsonObject | undefined;
  readonly tellAt: (path: Path) => (found: Fault) => void;
  readonly place: Pick<MessagePlace, 'directory' | 'files'>;
}

/** The user of a test, if it is more than `input`. */
export function userPlanOf(test: TestGrammar, where: UserPlace): UserPlan | undefined {
  if (test.user !== undefined && test.turns !== undefined) {
    const message = '`user` and `turns` cannot be used together: a user is either simulated or scripted';
    where.tellAt(['turns'])(fault('conflict', message, { at: 'key' }));
  }
  if (test.turns !== undefined) return scripted(test.turns, where);
  return test.user === undefined ? undefined : simulated(test.user, where);
}

function scripted(turns: NonNullable<TestGrammar['turns']>, where: UserPlace): ScriptedPlan {
  const messages = turns.flatMap(({ input }, index): readonly UserMessage[] => {
    const tell = where.tellAt(['turns', index, 'input']);
    const place = { ...where.place, role: 'user', tell } as const;
    const said = messagesOf(fillInput(input, where.vars, place), place);
    const [only] = said;
    if (said.length === 1 && only?.role === 'user')
      return [{ parts: index === 0 ? enclosedParts(only.parts, enclosingTexts(where.vars)) : only.parts }];
    tell(fault('invalid-value', 'the `input` of a turn must be a single user message'));
    return [];
  });
  return { type: 'scripted', messages };
}

function simulated(user: NonNullable<TestGrammar['user']>, { vars, tellAt }: UserPlace): SimulatedPlan {
  const tell = tellAt(['user']);
  const { context, ...texts } = user;
  const { persona, goals } = fillVars(texts, vars, tell);
  const wants = typeof goals === 'string' ? [goals] : goals;
  return {
    type: 'simulated',
    ...(persona === undefined ? {} : { persona: personaOf(persona) }),
    ...given({ goals: wants, context }),
  };
}

function personaOf(persona: string | Persona): Persona {
  return typeof persona === 'string' ? { description: persona } : persona;
}
