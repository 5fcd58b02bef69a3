// The desk as a service, with tools of its own: POST /respond takes a conversation and answers with the next messages.
import { createServer } from 'node:http';
import { reply } from './dialogue.mjs';
import { openBooks } from './books.mjs';

createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/respond') {
    response.writeHead(404).end();
    return;
  }
  try {
    const answer = await answerTo(JSON.parse(await textOf(request)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
  }
}).listen(Number(process.env.PORT ?? 8701), '127.0.0.1');

async function answerTo({ messages }) {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const tools = openBooks(messages);
  const content = await reply(said, tools);
  const end = tools.called('farewell') ? { end: { reason: 'farewell' } } : {};
  return { messages: [...tools.messages, { role: 'assistant', content }], ...end };
}

async function textOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
