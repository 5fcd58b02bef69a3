/** What is selected after a click on one thing: at most two, the last ones. */
export function afterClick(picked: readonly string[], clicked: string): readonly string[] {
  const others = picked.filter((each) => each !== clicked);
  return picked.includes(clicked) ? others : [...others.slice(-1), clicked];
}
