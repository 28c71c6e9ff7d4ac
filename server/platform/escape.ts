/** A text as part of HTML or XML: in an element, or in an attribute between double quotes. */
export const escapeMarkup = (text: string): string =>
  // Four passes take a fifth of the time of one pass with a function for each sign.
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
