import { inBase64 } from './base64.ts';

/**
 * The spellings of a value in escaped text: unchanged, in JSON (up to three times, because a log line can contain JSON
 * in JSON), in a URI, in a form, in base64, in hexadecimal.
 */
export function spellings(value: string): readonly string[] {
  const json = insideJson(value);
  const ascii = asciiOnly(json);
  const uri = encodeURIComponent(value.replace(LONE_SURROGATE, '\ufffd'));
  const lowerUri = uri.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  const hex = Buffer.from(value).toString('hex');
  const form = uri.replaceAll('%20', '+');
  return [
    ...new Set([
      value,
      ...encodedAgain(json),
      ...encodedAgain(ascii),
      uri,
      lowerUri,
      form,
      ...inBase64(value),
      hex,
      hex.toUpperCase(),
    ]),
  ];
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function encodedAgain(json: string): readonly string[] {
  const twice = insideJson(json);
  return [json, twice, insideJson(twice)];
}

/** The text between the quotes that JSON puts around it. */
export function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiOnly(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
