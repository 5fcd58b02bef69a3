/**
 * Gives the browser a valid language. Charts format numbers in it, and without a locale on the machine it can be an
 * invalid tag, such as `en-US@posix`, which `Intl` refuses.
 */
export function validLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
  }
}
