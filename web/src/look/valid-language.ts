/**
 * Charts format numbers in the language of the browser. Without a locale on the machine that can be an invalid tag, such
 * as `en-US@posix`, which `Intl` refuses.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
