import { createHash } from 'node:crypto';

import { markup, nothing, type Markup } from './markup.ts';

export interface PageHead {
  readonly title: string;
  /** CSS. */
  readonly style: string;
  /** JavaScript that runs at the end of the page; absent: the page has none. */
  readonly script?: string;
}

/** The beginning of a page that loads nothing and runs only its own script. */
export function beginPage({ title, style, script }: PageHead): Markup {
  const scripts = script === undefined ? '' : `script-src '${digestOf(script)}'; `;
  const policy = `default-src 'none'; style-src '${digestOf(style)}'; ${scripts}base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ html: policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
`;
}

export function endPage({ script }: Pick<PageHead, 'script'>): Markup {
  const last = script === undefined ? nothing : markup`<script>${{ html: script }}</script>\n`;
  return markup`${last}</body>
</html>
`;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
