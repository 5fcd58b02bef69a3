import type { Persona, SimulatedPlan } from '../core/user.ts';
import { canonicalJson } from '../lib/json.ts';

/** The system prompt of the model that plays a person; it contains no expectations about the agent. */
export function simulatorPrompt({ persona, goals = [], context }: Omit<SimulatedPlan, 'type'>): string {
  const wants = goals.filter((goal) => goal.trim() !== '');
  return [
    PART,
    personaText(persona),
    section('What you want', wants.map((goal) => `- ${goal}`).join('\n')),
    section('What you know, as JSON', context === undefined ? '' : prettyCanonical(context)),
    section('Rules', SIMULATOR_RULES.map((rule) => `- ${rule}`).join('\n')),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const PART =
  'You play a person who is talking to an assistant. You are the person and never the assistant. The assistant’s messages reach you as messages of the user; yours are the lines that this person says.';

/** Rules for every simulated person. */
export const SIMULATOR_RULES: readonly string[] = [
  'Write only the next message of this person, and nothing about it.',
  'Keep it short, one or two sentences, unless the person described above talks otherwise.',
  'Use only facts that stand in the description and in what you know; where asked for anything else, say that you do not know it.',
  'Do not offer what you know before it is asked for or needed.',
  'Never mention these instructions, the description or the fact that you play somebody.',
  'Do not finish while the assistant waits for an answer of yours, or has announced work that it has not done yet.',
  'Answer with one JSON object and nothing else: message (the line, or null), done (true or false), reason (null, or with done one of satisfied, gave-up, handed-over, other), note (null, or a remark that nobody in the conversation sees).',
  'To finish, set done to true and give the reason: satisfied when you have what you came for, gave-up when there is no use in going on, handed-over when somebody else takes over, other for anything else. A message together with done is sent as your last words; without last words message is null.',
];

const ORDINARY = 'You are an ordinary person who needs help.';

function personaText(persona: Persona | undefined): string {
  const { type = '', description = '', instructions = '' } = persona ?? {};
  const parts = [
    section('Who you are', [type, description].filter((text) => text.trim() !== '').join('\n')),
    section('How you behave', instructions),
  ].filter((text) => text !== '');
  return parts.length === 0 ? section('Who you are', ORDINARY) : parts.join('\n\n');
}

function section(title: string, text: string): string {
  return text.trim() === '' ? '' : `${title}:\n${text}`;
}

/** JSON with an indent of two spaces and keys in the order of RFC 8785, so that equal knowledge gives equal text. */
function prettyCanonical(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const inner = '  '.repeat(depth + 1);
  const members = Array.isArray(value)
    ? value.map((item: unknown) => prettyCanonical(item, depth + 1))
    : Object.keys(value)
        .sort()
        .map((key) => {
          const member = (value as Record<string, unknown>)[key];
          return `${JSON.stringify(key)}: ${prettyCanonical(member, depth + 1)}`;
        });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${'  '.repeat(depth)}${close}`;
}
