import { spawn } from 'node:child_process';

/** Starts a shell program, gives it the prompt and reads what it prints. */
export function askProgram(program, prompt, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', [program], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}`))));
    child.stdin.on('error', () => {});
    child.stdin.end(prompt);
  });
}
