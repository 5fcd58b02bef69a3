import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts the loopback agent in a separate process. */
export async function startLoopback() {
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)));
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the loopback agent exited with ${code}`)));
  });
  return {
    url: (delayMs) => `http://127.0.0.1:${port}/${delayMs}`,
    modelUrl: (delayMs) => `http://127.0.0.1:${port}/${delayMs}/model`,
    forgetfulUrl: (delayMs) => `http://127.0.0.1:${port}/${delayMs}/forgetful`,
    judgeUrl: (delayMs) => `http://127.0.0.1:${port}/${delayMs}/judge`,
    userUrl: (delayMs) => `http://127.0.0.1:${port}/${delayMs}/user`,
    reviewerUrl: (delayMs) => `http://127.0.0.1:${port}/${delayMs}/reviewer`,
    stop: () => child.disconnect(),
  };
}
