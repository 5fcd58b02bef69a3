/** A name that is not taken: the wanted one, or it with the first free number from 2, such as `shop-2`. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const name = `${wanted}-${number}`;
    if (!isTaken(name)) return name;
  }
}
