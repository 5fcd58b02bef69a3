import { sha256 } from '../../lib/digest.ts';
import type { Asked } from './protocol.ts';
import { schemaSample } from './schema-sample.ts';
import type { Reply, Rule } from './script.ts';

/** State that decides on a reply besides the request: number of equal requests, number of running requests. */
export interface Chooser {
  choose(asked: Asked, body: string): { readonly reply: Reply; release(): void };
}

export function replyChooser(rules: readonly Rule[]): Chooser {
  const answered = new Map<string, number>();
  const underWay = new Map<Rule, number>();

  const mayAnswer = (rule: Rule, body: string): boolean => {
    if (rule.times === undefined) return true;
    const key = `${rules.indexOf(rule)} ${sha256(body)}`;
    const before = answered.get(key) ?? 0;
    if (before >= rule.times) return false;
    answered.set(key, before + 1);
    return true;
  };

  return {
    choose(asked, body) {
      const crowd = rules.find(({ capacity, match }) => capacity !== undefined && matches(match, asked));
      const release = crowd === undefined ? () => {} : entering(underWay, crowd);
      if (crowd?.capacity !== undefined && (underWay.get(crowd) ?? 0) > crowd.capacity) {
        return { reply: { status: 429, message: `more than ${crowd.capacity} at once` }, release };
      }
      const rule = rules.find(
        (each) =>
          (each.reply ?? each.replies) !== undefined && matches(each.match, asked) && mayAnswer(each, body),
      );
      return { reply: rule === undefined ? byDefault(asked) : replyOf(rule, asked), release };
    },
  };
}

function entering(underWay: Map<Rule, number>, rule: Rule): () => void {
  underWay.set(rule, (underWay.get(rule) ?? 0) + 1);
  let isOut = false;
  return () => {
    if (isOut) return;
    isOut = true;
    underWay.set(rule, (underWay.get(rule) ?? 1) - 1);
  };
}

function matches(
  { model, contains, last, role, tools }: NonNullable<Rule['match']> = {},
  asked: Asked,
): boolean {
  const isJson = asked.schema !== undefined;
  return (
    (model === undefined || pattern(model).test(asked.model)) &&
    (contains === undefined || asked.messages.some(({ text }) => text.includes(contains))) &&
    (last === undefined || lastSaid(asked).includes(last)) &&
    (role === undefined || (role === 'json') === isJson) &&
    (tools === undefined || tools === asked.offersTools)
  );
}

function pattern(glob: string): RegExp {
  const source = glob.split('*').map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${source.join('.*')}$`, 's');
}

function replyOf({ reply, replies = [], steps }: Rule, { toolResults, allToolResults }: Asked): Reply {
  const step = steps === 'request' ? allToolResults : toolResults;
  return reply ?? replies[Math.min(step, replies.length - 1)] ?? {};
}

/** Repeats the last message; for a structured answer, returns a value that the schema allows. */
function byDefault(asked: Asked): Reply {
  return asked.schema === undefined
    ? { text: `You said: ${lastSaid(asked)}` }
    : { json: schemaSample(asked.schema) as never };
}

function lastSaid({ messages }: Asked): string {
  return messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '';
}
