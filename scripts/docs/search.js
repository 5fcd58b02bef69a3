// The search of the docs: every section that has all words of the question, best first. It runs in the browser.
const form = document.querySelector('form[role=search]');
const field = document.querySelector('#search');
const found = document.querySelector('#found');
const status = found.querySelector('[role=status]');
const list = found.querySelector('ol');
const root = document.body.dataset.root;

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.focus();
});
field.addEventListener('input', show);
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    field.focus();
  } else if (event.key === 'Escape' && !found.hidden) {
    field.value = '';
    show();
    field.focus();
  }
});
// On a phone the menu begins closed.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details').open = false;

function show() {
  const words = field.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hits = words.length === 0 ? [] : best(words);
  found.hidden = words.length === 0;
  status.textContent = hits.length === 0 ? 'No section has all of these words.' : `${hits.length} sections`;
  list.replaceChildren(...hits.slice(0, 20).map((entry) => hit(entry, words)));
}

function best(words) {
  return globalThis.searchIndex
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/** 0 when a word is missing; a word in a heading counts more than one in the text. */
function scoreOf({ page, heading, text }, words) {
  let score = 0;
  for (const word of words) {
    const inHeading = heading.toLowerCase().includes(word) ? 10 : 0;
    const inTitle = page.toLowerCase().includes(word) ? 5 : 0;
    const inText = Math.min(3, text.toLowerCase().split(word).length - 1);
    if (inHeading + inTitle + inText === 0) return 0;
    score += inHeading + inTitle + inText;
  }
  return score;
}

function hit({ url, page, heading, text }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}/${url}`;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const about = document.createElement('p');
  about.textContent = around(text, words[0]);
  item.append(link, about);
  return item;
}

/** The part of a text in which a word stands. */
function around(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 60)));
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 180).trim()}${text.length > from + 180 ? ' …' : ''}`;
}
