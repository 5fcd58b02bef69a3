/** The number that a text is. Another text is sent as it is: the server says what is wrong with it. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
