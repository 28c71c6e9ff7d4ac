import unhomoglyph from 'unhomoglyph'

/** A name with one of these words is reserved. `zmmer` is Z!mmer without its sign. */
const titles = [
  'zmmer',
  'zmmers',
  'admin',
  'admins',
  'administrator',
  'administrators',
  'moderator',
  'moderators',
  'sysadmin',
  'sysadmins',
  'superadmin',
  'superadmins',
  'webmaster',
  'webmasters',
]

/** Zimmer is also a surname: these words are reserved only when the name has no other words. */
const official = [
  'zimmer',
  'zimmers',
  'team',
  'staff',
  'support',
  'official',
  'system',
  'administration',
  'moderation',
  'mod',
  'mods',
]
const fillers = ['the', 'of', 'from', 'by', 'at', 'hq', 'verified']

/** Letters missing in the confusables of UTS 39: small capitals, negative circled and squared letters, regional indicators. */
const moreLetters = new Map([
  ...Array.from('ᴀʙᴅᴇꜰɢʜᴊĸʟʍɴᴘʀᴛ', (letter, at) => [letter, 'abdefghjklmnprt'[at]!] as const),
  ...[0x1f150, 0x1f170, 0x1f1e6].flatMap((first) =>
    Array.from(
      'abcdefghijklmnopqrstuvwxyz',
      (letter, at) => [String.fromCodePoint(first + at), letter] as const,
    ),
  ),
])

/** Accents and strokes on Latin letters. Marks that other scripts need are not listed. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/**
 * How a name looks: its skeleton of Unicode TS 39 without case, accents and invisible characters. Two names that a
 * reader may mistake for each other have the same. `i` becomes `l`, since TS 39 takes `I` for `l`.
 */
function skeletonOf(name: string): string {
  const visible = name.normalize('NFKD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const bare = unhomoglyph(visible).normalize('NFKD').replace(accents, '')
  const latin = bare.replace(/[^\0-\x7f]/gu, (letter) => moreLetters.get(letter) ?? letter)
  return unhomoglyph(latin.toLowerCase()).replaceAll('i', 'l')
}

const lettersOf = (skeleton: string) => skeleton.replace(/[^\p{L}\p{N}]/gu, '')

/** The letters and digits of a name as a reader may take them: equal for names that are easily mistaken. */
export const lookOf = (name: string) => lettersOf(skeletonOf(name))

const titleSkeletons = new Set(titles.map(skeletonOf))
const anyOf = (words: string[]) => `(?:${words.map(skeletonOf).join('|')})`
const onlyReserved = new RegExp(
  `^${anyOf(fillers)}*${anyOf([...titles, ...official])}${anyOf([...titles, ...official, ...fillers])}*$`,
)

/** Whether a name is the product's or its team's own. */
export function isProductName(name: string): boolean {
  // Digits and punctuation at the end do not make another name.
  const skeleton = skeletonOf(name.replace(/[\p{Nd}\p{P}\p{Z}]+$/u, ''))
  return [
    // The sign of Z!mmer may stand for an i or be left out.
    skeleton.replace(/(?<=\p{L})!+(?=\p{L})/gu, 'l'),
    skeleton.replaceAll('!', ''),
    // At the beginning of a word, 4 and @ may stand for an a.
    skeleton.replace(/(?<![\p{L}\p{N}])[4@](?=\p{L})/gu, 'a'),
  ].some(
    (read) =>
      read.split(/[^\p{L}\p{N}]+/u).some((word) => titleSkeletons.has(word)) ||
      onlyReserved.test(lettersOf(read)),
  )
}
