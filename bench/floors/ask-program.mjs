import { spawn } from 'node:child_process';

/** Starts a program, gives it the prompt and reads what it prints. */
export function askProgram([program, ...args], prompt, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}`))));
    child.stdin.on('error', () => {});
    child.stdin.end(prompt);
  });
}
