// The agent that everything is measured against: POST /<delay in ms>, one fixed answer of the `http` contract.
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
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };

const server = createServer((request, response) => {
  const delayMs = Number(request.url.slice(1));
  const reply = () => response.writeHead(200, headers).end(answer);
  request.resume();
  request.on('end', () => (delayMs > 0 ? setTimeout(reply, delayMs) : reply()));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
