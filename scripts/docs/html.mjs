const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escaped = (text) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]);

/** What a reader sees of HTML, on one line. */
export function textOf(html) {
  const signs = Object.fromEntries(Object.entries(ENTITIES).map(([sign, entity]) => [entity, sign]));
  return html
    .replaceAll(/<\/?(a|code|em|strong|del)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => signs[entity])
    .replaceAll(/\s+/g, ' ')
    .trim();
}
