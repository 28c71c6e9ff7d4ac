import { EpubCheck } from '@likecoin/epubcheck-ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asEpub } from '#contract/saving/epub.ts'
import { aStory, filesOf, passagesOfBook } from './testing.ts'

/** All messages of the checker about a book. */
async function faultsOf(epub: Uint8Array) {
  const { messages } = await EpubCheck.validate(epub, { includeUsage: true })
  return messages.map(({ id, severity, message, location }) => ({
    id,
    severity,
    message,
    at: location?.path,
  }))
}

const hostile = `</p><script>alert(1)</script> ]]> &amp; & <!-- "it's" 🌊👩‍👩‍👧 שלום \u202e مرحبا \u0001\u0008\u000b\ufffe\uffff\u0085`

test('a finished story as a book has a title page, the story, its contributors and contents [RVIEW-12]', async () => {
  const files = filesOf(
    asEpub(
      aStory([
        ['ana', 'It was late.\n  The lamp\n\nwent out.'],
        [null, 'Nobody'],
      ]),
    ),
  )
  expect(Object.keys(files)).toEqual([
    'mimetype',
    'META-INF/container.xml',
    'EPUB/package.opf',
    'EPUB/nav.xhtml',
    'EPUB/style.css',
    'EPUB/title.xhtml',
    'EPUB/story.xhtml',
    'EPUB/contributors.xhtml',
  ])
  expect(files['EPUB/title.xhtml']).toMatch(
    /<h1 .*>The long night<\/h1>\n<p .*>A story that .*<\/p>\n<p .*>June 11, 2025</,
  )
  expect(files['EPUB/story.xhtml']).toContain(`<section class="passage">
<p class="credit" dir="auto">User ana</p>
<p dir="auto">It was late.<br/>  The lamp</p>
<p dir="auto">went out.</p>
</section>
<section class="passage">
<p class="credit" dir="auto">Deleted user</p>
<p dir="auto">Nobody</p>
</section>`)
  expect(files['EPUB/contributors.xhtml']).toContain('User ana</span>: 7 words, 88%</li>')
  expect(files['EPUB/package.opf']).toContain('<meta property="dcterms:modified">2025-06-10T22:30:00Z</meta>')
  expect(files['EPUB/package.opf']).toContain('urn:uuid:01976000-0000-7000-8000-000000000001')
})

test('a book begins with its type, not compressed, and has the same bytes whenever it is made', async () => {
  const story = aStory([['ana', 'It was late. '.repeat(20_000)]])
  const [one, other] = [asEpub(story), asEpub(story)]
  expect(Buffer.compare(one, other)).toBe(0)
  expect(Buffer.from(one.subarray(30, 58)).toString()).toBe('mimetypeapplication/epub+zip')
})

test.each([
  ['an ordinary story', aStory([['ana', 'It was late.\n\nThe lamp\nwent out.']])],
  ['a story without passages', aStory([])],
  [
    'a hostile story',
    aStory(
      [
        ['ana', hostile],
        [null, '\n\n\n\n'],
        ['ben', ' \r \t'],
      ],
      { name: hostile, description: `${hostile}\n\n${hostile}` },
    ),
  ],
  [
    'a story of control characters',
    aStory([['ana', '\u0001']], { name: '\u0001\ufffe', description: '\u001f' }),
  ],
  [
    'a story from right to left',
    aStory([['ana', 'פעם אחת\nבלילה']], { name: 'הלילה הארוך', description: 'ليلة' }),
  ],
  [
    'a story with lines of 5,000 characters',
    aStory(
      [
        ['ana', 'a'.repeat(5000)],
        ['ben', '<'.repeat(5000)],
        ['ana', '🌊'.repeat(5000)],
      ],
      { name: '"'.repeat(100) },
    ),
  ],
  [
    'a story of 2,000 passages',
    aStory(Array.from({ length: 2000 }, (_none, n) => [`p${n % 200}`, `Line ${n}\n<of> many`])),
  ],
])('the checker of books finds no fault in %s', { timeout: 60_000 }, async (_what, story) => {
  expect(await faultsOf(asEpub(story))).toEqual([])
})

test('the checker of books finds a fault', async () => {
  const story = aStory([])
  const epub = asEpub({ ...story, book: { ...story.book, changedAt: 'some day' } })
  expect((await faultsOf(epub)).length).toBeGreaterThan(0)
})

test('a book contains passages of any text as they were typed, except characters that XML does not allow [S36]', async () => {
  const typed = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\n', '\r', '<', '&', ']]>', ' ', '\u0001', '\uffff', '🌊'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(typed, { minLength: 1, maxLength: 5 }), async (contents) => {
      const epub = asEpub(aStory(contents.map((content) => ['ana', content])))
      // A parser of XML would read a bare carriage return as a line end.
      expect(filesOf(epub)['EPUB/story.xhtml']).not.toContain('\r')
      expect(passagesOfBook(epub)).toEqual(
        contents.map((content) =>
          content.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'),
        ),
      )
    }),
    { numRuns: 50 },
  )
})
