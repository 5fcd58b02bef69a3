/** Filters and sorts the matrix. The page is complete without it. */
export const matrixScript = `
const list = document.querySelector('.matrix');
const cases = [...list.querySelectorAll('.line-case')];
const tools = document.querySelector('.tools');
const [search, only] = [tools.querySelector('input[type=search]'), tools.querySelector('input[type=checkbox]')];
const shown = tools.querySelector('output');
const fill = ({ target }) => {
  const kept = target.closest('.line-case')?.querySelector(':scope > noscript');
  if (kept) kept.outerHTML = kept.textContent;
};
list.addEventListener('click', fill, true);
list.addEventListener('toggle', fill, true);
const names = cases.map((each) => each.querySelector('.case').textContent.toLowerCase());
const filter = () => {
  const wanted = search.value.trim().toLowerCase();
  let count = 0;
  cases.forEach((each, place) => {
    each.hidden = !names[place].includes(wanted) || (only.checked && each.dataset.differs === undefined);
    if (!each.hidden) count += 1;
  });
  shown.textContent = count + ' of ' + cases.length + ' cases';
};
search.addEventListener('input', filter);
only.addEventListener('change', filter);
const scores = cases.map((each) => each.dataset.scores.split(',').map((score) => score === '' ? -1 : Number(score)));
let order = { column: -1, sign: 1 };
const sort = (column, button) => {
  order = { column, sign: order.column === column ? -order.sign : 1 };
  const places = cases.map((_, place) => place);
  const difference = (a, b) => (column < 0 ? a - b : scores[a][column] - scores[b][column]);
  places.sort((a, b) => order.sign * difference(a, b) || a - b);
  const sorted = document.createDocumentFragment();
  for (const place of places) sorted.append(cases[place]);
  list.append(sorted);
  for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
};
const buttons = [...list.querySelectorAll('.head > span')].map((title, place) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.title = place === 0 ? 'Sort in the order of the run' : 'Sort by score, worst first';
  button.append(...title.childNodes);
  title.append(button);
  button.addEventListener('click', () => sort(place - 1, button));
  return button;
});
filter();
tools.hidden = false;
`;
