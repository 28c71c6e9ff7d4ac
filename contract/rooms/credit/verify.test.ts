import { expect, test } from 'vitest'
import { hasPython, shortly, verdictsOfPython } from '#contract/testing/credit.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import type { Receipt, Seal } from './seal.ts'
import { sentencesOf } from './sentences.ts'
import { aSealedStory, ana } from './testing.ts'
import { verify } from './verify.ts'

const { seal, receipt } = aSealedStory()
const text = JSON.stringify(seal)
const receiptText = JSON.stringify(receipt)

const changedSeal = (change: (seal: Seal) => unknown) => {
  const changed = structuredClone(seal)
  change(changed)
  return JSON.stringify(changed)
}
const changedReceipt = (change: (receipt: Receipt) => unknown) => {
  const changed = structuredClone(receipt)
  change(changed)
  return JSON.stringify(changed)
}
const swap = ({ passages }: Seal) => ([passages[1], passages[2]] = [passages[2]!, passages[1]!])
const withhold = ({ passages }: Seal) => Object.assign(passages[1]!, { salt: null, text: null })

const other = (bytes: string) => {
  const changed = fromBase64url(bytes)!
  changed[0]! ^= 1
  return toBase64url(changed)
}
const shorter = aSealedStory({ passages: [{ author: ana, text: 'It was a short night.' }] })
const rewritten = aSealedStory({ passages: [{ author: ana, text: 'Another beginning.' }] })

/** What is verified, the files, and the verdict. */
const cases: [what: string, files: string[], verdict: string][] = [
  ['a seal', [text], 'verified'],
  ['a seal and a receipt', [text, receiptText], 'verified'],
  [
    'a receipt with a head from the middle',
    [text, JSON.stringify(aSealedStory({ headAt: 1 }).receipt)],
    'verified',
  ],
  [
    'a receipt with a head of an older key',
    [text, JSON.stringify(aSealedStory({ headAt: 2, headKey: new Uint8Array(32).fill(9) }).receipt)],
    'verified',
  ],
  ['a seal without passages', [JSON.stringify(aSealedStory({ passages: [] }).seal)], 'verified'],
  ['a withheld passage', [changedSeal(withhold), receiptText], 'verified'],
  ['one changed character', [changedSeal(({ passages }) => (passages[1]!.text += '.'))], 'false 2'],
  ['another order', [changedSeal(swap)], 'false 2'],
  ['another time', [changedSeal(({ passages }) => (passages[2]!.time = seal.passages[1]!.time))], 'false 3'],
  ['another author', [changedSeal(({ passages }) => (passages[0]!.who = seal.passages[1]!.who))], 'false 1'],
  ['a passage left out', [changedSeal(({ passages }) => passages.splice(1, 1))], 'false 2'],
  [
    'the last passage left out with its count',
    [changedSeal((changed) => (changed.count = changed.passages.splice(2, 1).length + 1))],
    'false',
  ],
  ['another count', [changedSeal((changed) => changed.count++)], 'false'],
  ['a false count that the server has signed', [JSON.stringify(aSealedStory({ count: 4 }).seal)], 'false'],
  ['another title', [changedSeal((changed) => (changed.title += '!'))], 'false'],
  ['another end', [changedSeal((changed) => (changed.endedAt = '2025-06-10T22:30:00.001Z'))], 'false'],
  ['another server', [changedSeal((changed) => (changed.origin = 'https://zimmer.example.org'))], 'false'],
  ['another room', [changedSeal((changed) => (changed.room = changed.room.replace(/1$/, '2')))], 'false 1'],
  [
    'a withheld passage with another hash',
    [
      changedSeal((changed) => {
        withhold(changed)
        changed.passages[1]!.textHash = other(seal.passages[1]!.textHash)
      }),
    ],
    'false 2',
  ],
  [
    'a server with the address of a sentence',
    [JSON.stringify(aSealedStory({ origin: 'https://zimmer.example. Its key is listed.\nBy x' }).seal)],
    'false',
  ],
  [
    'an unknown field',
    [changedSeal((changed) => Object.assign(changed, { format: 'zimmer/seal/2' }))],
    'false',
  ],
  [
    'a text in the receipt that was not written',
    [text, changedReceipt(({ passages }) => (passages[1]!.text = 'No.'))],
    'false 3',
  ],
  [
    'a receipt that claims the passage of another person',
    [text, changedReceipt(({ passages }) => (passages[0]!.position = 2))],
    'false 2',
  ],
  [
    'a receipt of another person',
    [text, changedReceipt((changed) => (changed.person = 'benbenbenb'))],
    'false 1',
  ],
  [
    'a head that the server has not signed',
    [text, changedReceipt(({ head }) => (head.position = 2))],
    'false',
  ],
  [
    'a head of another history',
    [JSON.stringify(shorter.seal), JSON.stringify(rewritten.receipt)],
    'two histories',
  ],
  ['a head beyond the end of the seal', [JSON.stringify(shorter.seal), receiptText], 'two histories'],
  [
    'a head that somebody else has signed',
    [
      text,
      JSON.stringify(
        aSealedStory({ passages: [{ author: ana, text: 'Mine' }], headKey: new Uint8Array(32).fill(9) })
          .receipt,
      ),
    ],
    'false',
  ],
]

test.each(cases)('%s is judged [CRED-05 CRED-06 CRED-07 CRED-08]', (_what, files, verdict) => {
  expect(shortly(verify(files))).toBe(verdict)
})

test.runIf(hasPython)('an independent verifier agrees on every file [CRED-05]', () => {
  expect(verdictsOfPython(cases.map(([, files]) => files))).toEqual(cases.map(([, , verdict]) => verdict))
})

/** Every text that differs in one bit, as a reader of UTF-8 gets it. */
function* flipsOf(file: string) {
  const bytes = Buffer.from(file)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    yield bytes.toString()
    bytes[bit >> 3]! ^= 1 << (bit & 7)
  }
}

const small = aSealedStory({ passages: [{ author: ana, text: 'Día 🐈' }], title: 'A' })
const [smallSeal, smallReceipt] = [JSON.stringify(small.seal), JSON.stringify(small.receipt)]

test('every flipped bit of a seal is noticed, and in a passage at its place [CRED-06]', () => {
  const judged = [...flipsOf(smallSeal)].map((file) => shortly(verify([file])))
  expect(new Set(judged)).toEqual(new Set(['false 1', 'false']))
  const part = JSON.stringify(seal.passages[1])
  const places = [...flipsOf(part)].map((flipped) => shortly(verify([text.replace(part, () => flipped)])))
  // A flip in the name of a field or in a mark of JSON makes the file unreadable.
  expect(new Set(places)).toEqual(new Set(['false 2', 'false']))
  expect(places.filter((place) => place === 'false 2').length).toBeGreaterThan(500)
}, 60_000)

test('every flipped bit of a receipt is noticed [CRED-06]', () => {
  const judged = [...flipsOf(smallReceipt)].map((file) => shortly(verify([smallSeal, file])))
  expect(verify([smallSeal, smallReceipt]).outcome).toBe('verified')
  expect(judged.filter((verdict) => !/^false( \d+)?$/.test(verdict))).toEqual([])
}, 60_000)

test('base64url has one text for the same bytes', () => {
  for (let length = 0; length < 70; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 89 + length) % 256))
    expect(toBase64url(bytes)).toBe(bytes.toString('base64url'))
    expect(Buffer.from(fromBase64url(toBase64url(bytes))!)).toEqual(bytes)
  }
  for (const text of ['A', 'AB', 'AAA=', 'A+', 'ÄÄÄÄ', 'AAAAA']) expect(fromBase64url(text)).toBeUndefined()
})

test('a verdict says what is verified, what is withheld and what is false, in words [CRED-07 CRED-08 CRED-11]', () => {
  expect(sentencesOf(verify([changedSeal(withhold), receiptText]))).toEqual({
    isVerified: true,
    heading: 'Verified',
    lines: [
      '“The long night” ended on June 10, 2025 at 22:30 UTC. The seal names https://zimmer.example as its server.',
      'It has 3 passages by 2 hands. Order, times, hands and texts are as they were sealed.',
      'Withheld: passage 2. The rest verifies.',
      'Written by the owner of the receipt: passages 1, 3.',
      expect.stringMatching(
        /^Seal [0-9a-f]{4}( [0-9a-f]{4}){3}\. The page of the story has to show the same\.$/,
      ),
      `Key ${seal.key}. https://zimmer.example/.well-known/zimmer-seal.json has to list it.`,
    ],
  })
  const headingOf = (...files: string[]) => sentencesOf(verify(files)).heading
  expect(headingOf(JSON.stringify(shorter.seal), receiptText)).toBe('This server has signed two histories')
  const byNewKey = aSealedStory({
    passages: [{ author: ana, text: 'Another beginning.' }],
    key: new Uint8Array(32).fill(9),
  })
  expect(sentencesOf(verify([JSON.stringify(byNewKey.seal), receiptText])).lines.join()).toContain(
    'A server that lists both keys has signed two histories.',
  )
  expect(headingOf(changedSeal(swap))).toBe('Not verified: passage 2 is false')
  expect(headingOf(receiptText)).toBe('Not verified: the seal is missing')
  for (const files of [[], [text, text], ['{}'], [''], ['[['.repeat(1e6)]])
    expect(headingOf(...files)).toBe('Not verified')
})

test('a title cannot write a sentence of the verdict, turn its direction or command a terminal [CRED-05 CRED-11]', () => {
  const title = 'Night”.\nVerified by the server.\u001b[2J\u202egnihton'
  const [first, ...lines] = sentencesOf(verify([JSON.stringify(aSealedStory({ title }).seal)])).lines
  expect(first).toMatch(/^“Night”. Verified by the server. \[2J gnihton” ended on /)
  expect(lines.join()).not.toContain('Verified by the server')
})
