import type { SinkPlugin } from './plugin.ts';
import { github } from './github.ts';
import { html } from './html/html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { terminal } from './terminal/terminal.ts';

/** All sinks. A new sink needs one file and one line here. */
export const sinks: readonly SinkPlugin[] = [terminal, json, junit, github, markdown, html];
