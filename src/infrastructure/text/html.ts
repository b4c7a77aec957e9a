const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, in attributes too. */
export const escapedForHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
