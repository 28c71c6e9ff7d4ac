import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'

const page = (
  header: string,
  body: string,
) => `<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body>
<div class="pageHeader">${header}</div>${body}</body></html>`

test.each([
  ['a date of Europe', 'Sunday, 3 November 2024', 'Entry.html', '2024-11-03'],
  ['a date of America', 'Sunday, November 3, 2024', 'Entry.html', '2024-11-03'],
  ['a date in the name', 'Sonntag, 3. November 2024', '2024-11-03_Am_Meer.html', '2024-11-03'],
])(
  'an entry of Apple Journal stands under its day: %s [OWN-17] [OWN-19]',
  async (_what, header, name, day) => {
    const file = await importOf({ [`Entries/${name}`]: page(header, '<p class="p2">Waves.</p>') })
    expect(file).toMatchObject({ format: 'applejournal', entries: [{ day, time: null, text: 'Waves.' }] })
  },
)

test('an archive of Apple Journal is read, and every file and picture counts once [OWN-17] [OWN-18]', async () => {
  const grid = `<div class="assetGrid"><div class="gridItem assetType_photo"><img src="../Resources/A%201.heic"></div>
<div class="gridItem assetType_multiPinMap"><div class="gridItemOverlayHeader">Delft</div></div></div>`
  const files = {
    'AppleJournalEntries/index.html': '<a href="Entries/1.html">1</a>',
    'AppleJournalEntries/Entries/1.html': page(
      'Sunday, 3 November 2024',
      `${grid}<div class="title">The sea</div><div class="reflectionPrompt">What did you see?</div>
<div class="bodyText"><p class="p2"><span class="s1">Waves.</span></p><p class="p3"><br></p><p class="p2">Wind.</p></div>`,
    ),
    'AppleJournalEntries/Entries/2.html': page('Someday', '<p>x</p>'),
    'AppleJournalEntries/Resources/A 1.heic': 'x',
    'AppleJournalEntries/Resources/A 1.json': '{"placeName": "Delft"}',
    'AppleJournalEntries/Resources/B.mov': 'x',
  }
  const file = await importOf(zipOf(Object.entries(files).map(([name, data]) => ({ name, data }))))
  expect(file.entries).toEqual([
    {
      kind: 'day',
      of: 'diary',
      day: '2024-11-03',
      time: null,
      text: 'The sea\n\nWhat did you see?\n\nWaves.\n\nWind.',
      place: 'AppleJournalEntries/Entries/1.html',
    },
  ])
  expect(file.notUnderstood).toEqual([
    {
      place: 'AppleJournalEntries/Entries/2.html',
      reason: 'Its date is written in a way that is not known: Someday',
    },
  ])
  // The picture is listed beside its entry, and the places once.
  expect(countOf(file)).toBe(Object.keys(files).length + 1)
})
