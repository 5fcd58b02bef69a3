// The agent for all measures: POST /<delay in ms> gives one fixed answer of the `http` contract. An agent that
// leaves every third question open: /forgetful. A judge that passes everything:
// POST /<delay in ms>/judge/chat/completions. The same for whole conversations: /reviewer/. A user who always has
// another question: /user/. The agent's answer from a model: /model/.
// A separate, lean process, because it shares the machine with the measured program.
import { createServer } from 'node:http';

const said = 'Order ORD-1042 was delivered on Tuesday. Is there anything else that I can do for you?';
const answer = JSON.stringify({ messages: [{ role: 'assistant', content: said }] });
const completion = (content, prompt_tokens) =>
  JSON.stringify({
    id: 'said',
    object: 'chat.completion',
    created: 1,
    model: 'model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 },
  });
const fine = { justification: 'Nothing is missing.', failure_code: null, turns: [2], score: 5 };
const metrics = [
  'tool_routing',
  'parameter_extraction',
  'result_interpretation',
  'grounding_fidelity',
  'instruction_compliance',
  'information_gathering',
  'conversation_management',
  'response_delivery',
];
const review = { injection: false, metrics: Object.fromEntries(metrics.map((id) => [id, fine])) };
const questions = ['the parcel', 'the invoice', 'the warranty', 'the next delivery', 'the address'];
const ask = (about) => ({ message: `And what about ${about}?`, done: false, reason: null, note: null });

/** Answers by role, used in turn. */
const answers = {
  agent: [answer],
  model: [completion(said, 60)],
  forgetful: [
    answer,
    answer,
    JSON.stringify({ messages: [{ role: 'assistant', content: 'Which order is it?' }] }),
  ],
  judge: [completion('{"score": 1, "reasoning": "It says when.", "evidence": []}', 600)],
  reviewer: [completion(JSON.stringify(review), 2000)],
  user: questions.map((about) => completion(JSON.stringify(ask(about)), 400)),
};
const json = (text) => ({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
const ready = Object.fromEntries(
  Object.entries(answers).map(([part, texts]) => [
    part,
    texts.map((text) => ({ text, headers: json(text) })),
  ]),
);
let asked = 0;

const server = createServer((request, response) => {
  const [, delay, part = 'agent'] = request.url.split('/');
  const delayMs = Number(delay);
  const { text, headers } = ready[part][asked++ % ready[part].length];
  const reply = () => response.writeHead(200, headers).end(text);
  request.resume();
  request.on('end', () => (delayMs > 0 ? setTimeout(reply, delayMs) : reply()));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
