// What an agent starts as its MCP server: passes every byte between its stdio and the socket named in its argument.
import { connect } from 'node:net';
import process, { stdin, stdout } from 'node:process';

const socket = connect(process.argv[2] ?? '');
const leave = (): never => process.exit();
stdin.pipe(socket);
socket.pipe(stdout);
// The other side has ended, or the agent reads no more: neither is an error of this program.
socket.on('close', () => stdout.end(leave));
socket.on('error', leave);
stdout.on('error', leave);
