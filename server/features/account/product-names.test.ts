import { expect, test } from 'vitest'
import { isProductName, looksLikeOneOf } from './product-names.ts'

test.each([
  '❗',
  '❗️',
  '❕',
  '！',
  '‼',
  '︕',
  '﹗',
  '❣',
  '¡',
  '¦',
  '|',
  'ǃ',
  'ǀ',
  'ꜝ',
  'ˈ',
  '⁞',
  '*',
  '•',
  '',
  '-',
  '(!)',
  '1',
  '1️⃣',
  '❶',
  'l',
  'ꞁ',
  'ı',
  'ı́',
  'і',
  'ɪ',
])('Z!mmer spelled with %j is the product, also in a name with other words [S45 S56]', (sign) => {
  for (const name of [`Z${sign}mmer`, `Z${sign}mmer News`, `the-z${sign}mmers_club`])
    expect([name, isProductName(name)]).toEqual([name, true])
})

test.each(['❗', '¡', '¦', '|', 'ꜝ', 'ᴉ', 'ı́', 'í', '1', '❶', '(i)', 'ㅣ', '*'])(
  'an admin spelled with %j for an i is an admin [S45 S56]',
  (sign) => {
    for (const name of [`Adm${sign}n Ann`, `4dm${sign}n Ann`, `Ann the A-dm${sign}n`])
      expect([name, isProductName(name)]).toEqual([name, true])
    expect(looksLikeOneOf(['Mira Boss'])(`M${sign}ra Bo-ss`)).toBe(true)
  },
)

test.each([
  'Off❗c❗al Z❗mmer Team',
  'Z ! mmer',
  '❗Zimmer❗',
  'Moderat¡on',
  'Webmaster: Bob',
  'Adm\u3164in Ann',
  '@dm!n_Ann',
  'Ann|Admin',
  'AdminAnn',
  'AnnAdmin2',
  'annAdmin',
  'Ann2Admin',
  'ADMINAnn',
  'Ⱥdmiŋ Ann',
  'ȺdmiŋAnn',
  '𝐀𝐝𝐦𝐢𝐧𝐀𝐧𝐧',
  'Ⱬ!mmer',
  'Moderatoɾ',
  'Zimmer Team②',
])('%j is a name of the product [S45 S56]', (name) => {
  expect(isProductName(name)).toBe(true)
})

test.each([
  'Zimmermann',
  'Hans Zimmer',
  'Zimmer News',
  'ZIMMER NEWS',
  'Zímmer News',
  'Zimmer-Bradley',
  'Zi!mmermann',
  'Admiral',
  'Admir!',
  'Adminton',
  'Badminton',
  'McAdam',
  'DeAngelo',
  'Aŋna',
  'Adam',
  'Adam!',
  'Adnan',
  'Badm!nton',
  'Timmer',
  'Glimmer',
  'Z! Mercer',
  'Summer',

  'Ali',
  'Illya',
  'Al!',
  'P!nk',
  'Tim|Lee',
  'Web Master Class',
  'Jean-Luc O’Neil',
  '李娜',
  '김민',
  'علي',
  'आदमी!',
  '☀',
  '!',
  '*****',
  '',
])('%j is a name like any other [S45 S56]', (name) => {
  expect(isProductName(name)).toBe(false)
})

test('a name is taken for that of an admin only when its letters look the same [S45 S56]', () => {
  const isTaken = looksLikeOneOf(['Mira Boss', 'Ali', 'मोहन', '☀', ''])
  for (const name of ['M!ra Boss', 'MIRA-BOSS', 'M1RA|B0SS!', 'Al!', 'A11', 'A|!', 'मोहन ☀'])
    expect([name, isTaken(name)]).toEqual([name, true])
  for (const name of ['Mra Boss', 'M!ra', 'Mira Bossi', 'Alia', 'A!', 'Lia', '☀', '!', ''])
    expect([name, isTaken(name)]).toEqual([name, false])
  expect(looksLikeOneOf([])('!')).toBe(false)
})

test('digits and signs after the name of an admin are still that name, and further letters make another [S45 S56]', () => {
  const isTaken = looksLikeOneOf(['Vera Boss', 'ana48', '李娜'])
  for (const name of [
    'Vera Boss2',
    'verab0ss 10',
    'Vera Boss #1',
    'Vera-Boss (2)',
    'Vera Boss²',
    'Vera Boss Ⅱ',
    'Vera Boss 1️⃣',
    'Vera Boss٢',
    'Ana48',
    'ana481',
    '李娜2',
  ])
    expect([name, isTaken(name)]).toEqual([name, true])
  for (const name of [
    'Vera Bosse',
    'Vera Boss2e',
    'Vera Bos2',
    '2 Vera Boss',
    'Ana',
    'Ana4',
    'Ana 49',
    '2',
    '李',
  ])
    expect([name, isTaken(name)]).toEqual([name, false])
})

test.each([
  ['Vera Boss', 'Vɇɾⱥ Ƀøꜱʂ'],
  ['Vera Boss', 'VɆɌȺ ɃƟȘȘ'],
  ['Vera Boss', 'Vǝʁa Boß'],
  ['Vera Boss', 'Vera βoss'],
  ['Kim Lang', 'Ꝁiɱ Ɫäŋɠ'],
  ['Kim Lang', 'ꞢiⱮ Ⱡɐꞥꞡ'],
  ['Ezra Quint', 'Ɇⱬɍⱥ Ɋʉɨɲŧ'],
  ['Edith', 'ɛðɪƫɦ'],
])('nobody takes the name of the admin %s in the form %s [S45 S56]', (reserved, name) => {
  expect([name, looksLikeOneOf([reserved])(name)]).toEqual([name, true])
})

test('each Latin letter with a stroke or a hook, and each of the phonetic alphabet, counts as a letter that it looks like, or looks like none [S56]', () => {
  const likeNone = 'ƛƾǂɂɤɷɸʕʖʡʢʬʭ'
  const letters = Array.from({ length: 0x2b0 - 0x180 }, (_, at) => String.fromCodePoint(0x180 + at))
  const isAscii = looksLikeOneOf([
    ...'abcdefghijklmnopqrstuvwxyz235678',
    ...'ae db dz fn hv lj ll ls lz nj oe oi qp tc ts'.split(' '),
  ])
  expect(letters.filter((letter) => !isAscii(letter)).join('')).toBe(likeNone)
})

test('a long name made to be slow is compared at once [S51]', () => {
  const isTaken = looksLikeOneOf(['l'.repeat(49), 'il'.repeat(40), 'la'.repeat(40)])
  const names = [
    '!l'.repeat(40),
    '!'.repeat(80),
    'z!l'.repeat(26),
    'l!a!'.repeat(20),
    'the!'.repeat(20),
    'zimmer'.repeat(13),
    'ﷺ'.repeat(80),
    '1'.repeat(80),
    'lA'.repeat(40),
    '①'.repeat(80),
  ]
  for (const name of names) {
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      isProductName(name)
      isTaken(name)
      return performance.now() - start
    })
    // The first call also compiles the patterns.
    expect(Math.min(...times)).toBeLessThan(50)
  }
})
