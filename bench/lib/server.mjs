// The agent that everything is measured against: POST /<delay in ms>, one fixed answer of the `http` contract; and a
// judge that is content with everything: POST /<delay in ms>/judge/chat/completions.
// A process of its own, as lean as it can be, since it shares the machine with what is measured.
import { createServer } from 'node:http';

const answer = JSON.stringify({
  messages: [
    {
      role: 'assistant',
      content: 'Order ORD-1042 was delivered on Tuesday. Is there anything else that I can do for you?',
    },
  ],
});
const verdict = JSON.stringify({
  id: 'judged',
  object: 'chat.completion',
  created: 1,
  model: 'judge',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: '{"score": 1, "reasoning": "It says when.", "evidence": []}' },
    },
  ],
  usage: { prompt_tokens: 600, completion_tokens: 20, total_tokens: 620 },
});
const json = (text) => ({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
const headers = { answer: json(answer), verdict: json(verdict) };

const server = createServer((request, response) => {
  const [, delay, judge] = request.url.split('/');
  const delayMs = Number(delay);
  const reply = () =>
    judge === undefined
      ? response.writeHead(200, headers.answer).end(answer)
      : response.writeHead(200, headers.verdict).end(verdict);
  request.resume();
  request.on('end', () => (delayMs > 0 ? setTimeout(reply, delayMs) : reply()));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
