import unhomoglyph from 'unhomoglyph'
/**
 * Latin letters with a stroke, a hook or a tail, small capitals, turned and reversed letters, by the letters of ASCII that
 * they look like. Only those are listed which neither a decomposition of Unicode nor the confusables of UTS 39 lead there.
 */
import latinLookalikes from './latin-lookalikes.json' with { type: 'json' }

const withPlural = (word: string) => [word, `${word}s`]

/** A name with one of these words is reserved, and so is a name with the word Z!mmer. */
const titles = ['admin', 'administrator', 'moderator', 'sysadmin', 'superadmin', 'webmaster'].flatMap(
  withPlural,
)

const roles = ['team', 'staff', 'support', 'official', 'system', 'administration', 'moderation']
/** Zimmer is also a surname: these words are reserved only when the name has no other words. */
const official = [...roles, ...['zimmer', 'mod'].flatMap(withPlural)]
const fillers = ['the', 'of', 'from', 'by', 'at', 'hq', 'verified']

/** Missing in the confusables of UTS 39: Latin letters, what looks like i, l or 1, negative circled and squared letters, regional indicators. */
const moreLetters = new Map([
  ...Object.entries(latinLookalikes).flatMap(([letters, lookalikes]) =>
    Array.from(lookalikes, (lookalike) => [lookalike, unhomoglyph(letters)] as const),
  ),
  ...Array.from('ᴉᶖꟾꞁꞀȴᶅȽⱠⱡⱢꝈꝉ\u1175丨〡𝍷𝍩❶⓵➀➊', (letter) => [letter, 'l'] as const),
  ...[0x1f150, 0x1f170, 0x1f1e6].flatMap((first) =>
    Array.from(
      'abcdefghijklmnopqrstuvwxyz',
      (letter, at) => [String.fromCodePoint(first + at), letter] as const,
    ),
  ),
])

/** Accents and strokes on Latin letters. Marks that other scripts need are not listed. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/** Signs in a row: no letters, digits or spaces. The modifier letters ꜝ and ˈ are signs too. */
const signs = /(?:[^\p{L}\p{N}\s]|[\u02b0-\u02ff\ua700-\ua71f])+/gu

/**
 * A skeleton of Unicode TS 39 without case, accents and invisible characters. The letter i stays, also as a capital,
 * which TS 39 takes for `l`. All that only looks like an i becomes `l`.
 */
function skeletonOf(name: string): string {
  const visible = name
    .replace(/[ßẞ]/gu, 'ss')
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const latinI = visible
    .replaceAll('I', 'i')
    .replace(/[^\0-\x7f]+/gu, (text) => unhomoglyph(text).replaceAll('i', 'l'))
  // A capital may look like another letter than its lower case does, so both are read.
  return latinOf(latinOf(latinI).toLowerCase())
}

function latinOf(text: string): string {
  const bare = unhomoglyph(text).normalize('NFKD').replace(accents, '')
  return bare.replace(/[^\0-\x7f]/gu, (letter) => moreLetters.get(letter) ?? letter)
}

/** What the patterns of `patternOf` are compared with: skeletons with one `!` for signs in a row. */
function readingsOf(name: string): string[] {
  // TS 39 takes some signs, such as `|`, for letters. A reader may take them for signs.
  const read = [name, name.replace(/[\p{P}\p{S}]/gu, '!')].map(skeletonOf)
  // At the beginning of a word, 4 and @ may stand for an a.
  return [...read, read[0]!.replace(/(?<![\p{L}\p{N}])[4@](?=\p{L})/gu, 'a')].map((skeleton) =>
    skeleton.replace(signs, '!'),
  )
}

const withoutSpaces = (reading: string) => reading.replace(/\s/gu, '')

const lettersOf = (name: string) => withoutSpaces(skeletonOf(name).replace(signs, ''))

/** Digits and signs at the end of a name, also in the form of an emoji. */
const ending = /[\p{N}\p{P}\p{S}\p{Z}\ufe0f\u20e3]*$/u

/**
 * Whether a reader may take a name for one of these: `i`, `l` and a sign look alike, a sign may stand between any letters,
 * and digits at the end do not make another name.
 */
export function looksLikeOneOf(names: string[]): (name: string) => boolean {
  const reserved = names.map(lettersOf).filter((letters) => letters !== '')
  return (name) => {
    const { index, 0: end } = ending.exec(name)!
    const [starts, ends] = [name.slice(0, index), end].map((part) => readingsOf(part).map(withoutSpaces))
    return reserved.some((letters) =>
      starts!.some((start, at) => isReadAs(start, ends![at]!, Array.from(letters))),
    )
  }
}

/** Whether a reading stands for these letters, with none of its end, a part of it or all of it. */
function isReadAs(start: string, end: string, letters: string[]): boolean {
  // How many letters the part up to here may stand for. A pattern would try the combinations of signs one by one.
  let counts = new Set([0])
  const read = (sign: string) => {
    const isNext = (letter = '') => letter === sign || (/[il]/.test(letter) && /[il!]/.test(sign))
    const longer = [...counts].filter((count) => isNext(letters[count])).map((count) => count + 1)
    counts = new Set(sign === '!' ? [...counts, ...longer] : longer)
    return counts.has(letters.length)
  }
  for (const sign of start) read(sign)
  return counts.has(letters.length) || Array.from(end).some(read)
}

/** Finds one of a few words in a reading, as `looksLikeOneOf` compares names. */
const anyOf = (words: string[]) => `(?:${words.map(patternOf).join('|')})`
const patternOf = (word: string) =>
  Array.from(lettersOf(word), (letter) => letter.replace(/[il]/, '[il!]')).join('!?')

/** Z!mmer with any sign, or none. An `l` looks like its sign too; with an `i` it is the surname. */
const product = `z!?l?!?${anyOf(withPlural('mmer'))}`
// Digits after the word do not make another word.
const title = new RegExp(`(?<![\\p{L}\\p{N}])(?:${product}|${anyOf(titles)})(?!\\p{L})`, 'u')
/** With its sign the word is reserved inside of other words too, and with spaces. */
const signedProduct = /z[il]?!+[il]?mmer/
const reserved = `(?:${product}|${anyOf([...titles, ...official])})!?`
const filler = `${anyOf(fillers)}!?`
const onlyReserved = new RegExp(`^!?(?:${filler})*${reserved}(?:${reserved}|${filler})*$`, 'u')

/** Where a word begins without a space, as in `AdminAnn` and `ADMINAnn`. */
const wordBegins = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu

/** Whether a name is the product's or its team's own. */
export function isProductName(name: string): boolean {
  // Digits and punctuation at the end do not make another name.
  const whole = name.replace(/[\p{N}\p{P}\p{Z}]+$/u, '')
  const inWords = whole.normalize('NFKC').replace(wordBegins, ' ')
  return (
    [...readingsOf(whole), ...readingsOf(inWords)].some((reading) => title.test(reading)) ||
    readingsOf(whole).some(
      (reading) => signedProduct.test(withoutSpaces(reading)) || onlyReserved.test(withoutSpaces(reading)),
    )
  )
}
