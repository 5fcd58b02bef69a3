#!/usr/bin/env node
// A command-line agent for invoices. The prompt comes on stdin, the answer goes to stdout.
//   "File the inbox."     reads inbox/*.txt of the folder it runs in, writes ledger.csv, moves what it read to filed/
//   anything else         is taken for one invoice, and answered as JSON
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const prompt = readFileSync(0, 'utf8');
console.log(/\bfile the inbox\b/i.test(prompt) ? fileInbox() : JSON.stringify(readInvoice(prompt)));

function fileInbox() {
  const names = readdirSync('inbox').filter((name) => name.endsWith('.txt'));
  const read = names.map((name) => ({
    name,
    invoice: readInvoice(readFileSync(join('inbox', name), 'utf8')),
  }));
  const complete = read.filter(({ invoice: { number, total } }) => number !== null && total !== null);
  const unclear = read.filter((each) => !complete.includes(each));
  mkdirSync('filed', { recursive: true });
  if (!existsSync('ledger.csv')) appendFileSync('ledger.csv', 'number,vendor,date,total,currency\n');
  for (const { name, invoice } of complete) {
    const { number, vendor, date, total, currency } = invoice;
    appendFileSync('ledger.csv', `${number},${vendor},${date},${total.toFixed(2)},${currency}\n`);
    renameSync(join('inbox', name), join('filed', name));
  }
  const left = unclear.length === 0 ? '' : ` I could not read ${unclear.map(({ name }) => name).join(', ')}.`;
  return `Filed ${complete.length} of ${read.length} invoices.${left}`;
}

function readInvoice(text) {
  const total = /^\s*(?:total|amount due|gesamt)[^\d\n]*(\d[\d.,]*)\s*(EUR|USD|€|\$)?/im.exec(text);
  const symbols = { '€': 'EUR', $: 'USD' };
  return {
    number: field(text, /invoice (?:no\.?|number)|rechnung nr\.?/),
    vendor: field(text, /from|von/),
    date: isoDate(field(text, /date|datum/)),
    total: total === null ? null : amount(total[1]),
    currency: symbols[total?.[2]] ?? total?.[2] ?? (text.includes('$') ? 'USD' : 'EUR'),
  };
}

function field(text, label) {
  return new RegExp(`^\\s*(?:${label.source})\\s*:?\\s*(.+?)\\s*$`, 'im').exec(text)?.[1] ?? null;
}

/** 1,234.50 and 1.234,50 alike: the last separator is the decimal one. */
function amount(text) {
  const [, whole, cents] = /^([\d.,]*\d)(?:[.,](\d{1,2}))$/.exec(text) ?? [undefined, text, '0'];
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${cents}`);
}

/** 03.05.2026 becomes 2026-05-03; other dates stay as they are. */
function isoDate(text) {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text ?? '') ?? [];
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
