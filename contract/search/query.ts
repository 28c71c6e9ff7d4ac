/** The bounds of a text that is searched for, in characters. */
export const searchedTextMinLength = 2
export const searchedTextMaxLength = 64

/** Scripts that write no spaces between words, as the inside of a class of letters. */
export const unspacedScripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`

const unspacedLetter = new RegExp(`[${unspacedScripts}]`, 'u')

/** Whether a text is long enough to search for it. One letter is enough in a script in which it may be a word. */
export const isSearchable = (text: string) =>
  Array.from(text.trim()).length >= searchedTextMinLength || unspacedLetter.test(text)

/** What opens and closes a phrase. */
export const quotes = /["“”„«»]/u

/** The largest page of a group. */
export const foundMax = 20
/** How many results of each group an answer has without `limit`. */
export const foundAtOnce = 5

export const searchKinds = ['posts', 'people', 'rooms', 'stories'] as const
export type SearchKind = (typeof searchKinds)[number]
export const searchOrders = ['rank', 'time'] as const
