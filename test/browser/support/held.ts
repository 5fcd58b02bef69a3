import type { Page, Request } from 'playwright-core';

/** Requests of a page that wait until they are released. */
export interface Held {
  /** Once the first one waits. */
  readonly asked: Promise<Request>;
  release(): void;
}

/** Holds back the requests of one method to an address. */
export async function held(page: Page, method: string, address: string | RegExp): Promise<Held> {
  let ask: (request: Request) => void = () => undefined;
  let release: () => void = () => undefined;
  const asked = new Promise<Request>((resolve) => (ask = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route, request) => {
    if (request.method() !== method) return await route.fallback();
    ask(request);
    await released;
    await route.fallback();
  });
  return { asked, release };
}

/** The next request of a method to an address is answered by the server, and its answer is lost. */
export async function lostAnswer(page: Page, method: string, address: string | RegExp): Promise<void> {
  let isLost = false;
  await page.route(address, async (route, request) => {
    if (isLost || request.method() !== method) return await route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
