/** A field of a form. Its value is a text. */
export interface FormField {
  /** As the server names it in problems. */
  readonly name: string;
  readonly title: string;
  readonly kind: 'line' | 'date' | 'text' | 'choice' | 'json';
  /** A function: the help depends on what the form says. */
  readonly help?: string | ((texts: Texts) => string);
  /** Other names of it in problems. */
  readonly also?: readonly string[];
  readonly choices?: readonly string[];
}

/** The texts of a form by the names of its fields. */
export type Texts = Readonly<Record<string, string>>;

export function inputId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}
