// The desk of a library as a service: POST /respond takes a conversation and answers with the agent's next messages.
import { createServer } from 'node:http';
import { answer } from './desk.mjs';

createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/respond') {
    response.writeHead(404).end();
    return;
  }
  try {
    const { messages } = JSON.parse(await textOf(request));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(messages)));
  } catch (error) {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
  }
}).listen(Number(process.env.PORT ?? 8701), '127.0.0.1');

async function textOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
