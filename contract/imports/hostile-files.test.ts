import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { type ZipEntry, zipOf } from '#contract/testing/zip-writer.ts'

// A process that reads the largest files takes half a minute on a busy machine. Each file has a process of its own, so two are
// read at once: one after the other they would take longer than all other tests of the contract together.
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 2 })

const MiB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'import-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Outcome {
  refused?: string
  counts?: [entries: number, notUnderstood: number, skipped: number]
  reasons?: string[]
  ms: number
  peakMB: number
}

/** That of the process in which the command reads. The texts of an import take 64 MiB of it at most. */
const heapMb = 104

/** Imports a file in a process of its own, whose peak of memory is measured. */
async function importAlone(name: string, content: Uint8Array | string): Promise<Outcome> {
  const file = join(mkdtempSync(join(folder, 'file-')), name)
  writeFileSync(file, content)
  const script = join(import.meta.dirname, '../testing/import-in-a-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${heapMb}`,
    script,
    file,
  ])
  rmSync(file)
  return JSON.parse(stdout) as Outcome
}

/** Data of `size` MiB that unpacks from a thousandth of it: one piece, again and again. */
function bomb(size: number): Uint8Array {
  const piece = deflateRawSync(Buffer.alloc(MiB, 'a'), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array<Buffer>(size).fill(piece), deflateRawSync('')])
}

const manyFiles = (count: number, entry: Partial<ZipEntry>): ZipEntry[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.md`, method: 0, ...entry }))

const metadata = '{"metadata":{"version":"1.0"},"entries":['
const dayOneOf = (text: string, bytes: number) => {
  const entry = `{"creationDate":"2024-03-01T10:00:00Z","text":${JSON.stringify(text)}},`
  return `${metadata}${entry.repeat(bytes / Buffer.byteLength(entry))}0]}`
}

test.concurrent.each<[string, string, () => Uint8Array | string, string]>([
  [
    'a bomb of 10 GiB',
    'a.zip',
    () => zipOf([{ name: 'a.md', deflated: bomb(10_240) }]),
    'a.md is too large to be read.',
  ],
  [
    'a bomb that declares one byte',
    'a.zip',
    () => zipOf([{ name: 'a.json', deflated: bomb(1024), size: 1 }]),
    'This JSON file has too many parts.',
  ],
  [
    'many files that hold a little less',
    'a.zip',
    () => zipOf(manyFiles(100, { deflated: bomb(2), method: 8, crc: crc32(Buffer.alloc(2 * MiB, 'a')) })),
    'more than 64 MiB of text. Please divide it.',
  ],
  [
    'many damaged files that hold a little less',
    'a.zip',
    () => zipOf(manyFiles(40, { deflated: bomb(19), method: 8 })),
    '13.md is too large to be read.',
  ],
  [
    '64 MiB of Day One in an alphabet of two bytes',
    'a.json',
    () => dayOneOf('It’s raining. '.repeat(400), 63 * MiB),
    'more than 64 MiB of text. Please divide it.',
  ],
  [
    'many entries with the same empty blocks',
    'a.zip',
    () => manyEntriesOfOneRegion(),
    '126.md is too large to be read.',
  ],
  ['a million listed files', 'a.zip', () => millionFiles(), 'holds more than 100000 files.'],
  [
    'JSON of more than 64 MiB',
    'a.json',
    () => dayOneOf('a'.repeat(1000), 65 * MiB),
    'a.json is too large to be read.',
  ],
  [
    'a million entries of JSON',
    'a.json',
    () => `${metadata}${'0,'.repeat(1e6)}0]}`,
    'holds more than 100000 entries.',
  ],
  [
    'JSON of empty lists',
    'a.json',
    () => `[${'[],'.repeat(21 * MiB)}0]`,
    'This JSON file has too many parts.',
  ],
  ['deep JSON', 'a.json', () => '['.repeat(63 * MiB), 'This JSON file is nested too deeply.'],
  ['deep objects', 'a.json', () => '{"a":'.repeat(12 * MiB), 'This JSON file is nested too deeply.'],
  [
    'deep XML',
    'a.xml',
    () => `<rss xmlns="http://wordpress.org/export/">${'<a>'.repeat(20 * MiB)}`,
    'nested too deeply',
  ],
])(
  'a hostile file is refused with a sentence and takes little memory: %s [OWN-14]',
  async (_what, name, content, sentence) => {
    const { refused, peakMB } = await importAlone(name, content())
    expect(refused).toContain(sentence)
    expect(peakMB).toBeLessThan(300)
  },
)

/** Each entry has two megabytes of empty blocks, which unpack to nothing. */
function manyEntriesOfOneRegion(): Uint8Array {
  const block = Buffer.of(0, 0, 0, 0xff, 0xff)
  const deflated = Buffer.concat([Buffer.alloc(2 * MiB, block), deflateRawSync('')])
  const more = { deflated: new Uint8Array(), method: 8, compressed: deflated.length, offset: 0 }
  return zipOf([{ name: 'first.md', deflated }, ...manyFiles(200, more)])
}

/** One file, listed a million times. */
function millionFiles(): Uint8Array {
  const few = zipOf(manyFiles(1000, {}), { isZip64: true, count: 1e6 })
  return few
}

test.concurrent.each<[string, string, () => Uint8Array | string, Outcome['counts']]>([
  ['64 MiB of Day One', 'a.json', () => dayOneOf("It's raining. ".repeat(400), 63 * MiB), [11692, 1, 0]],
  ['one entry of 60 MiB', 'a.json', () => dayOneOf('It’s raining. '.repeat(3.9 * MiB), 63 * MiB), [0, 2, 0]],
  [
    'an entry of empty lists',
    'a.json',
    () => `${metadata}{"creationDate":"2024-03-01T10:00:00Z","text":"a","x":[${'[],'.repeat(MiB / 2)}0]}]}`,
    [0, 1, 0],
  ],
  ['HTML of many lines', 'a.html', () => 'x<br>'.repeat(4 * MiB), [0, 1, 0]],
  ['19 MiB behind the end of a deflated text', 'a.zip', () => textWithRest(19 * MiB), [0, 1, 0]],
  [
    'a CSV file of 150,000 columns and 99,999 rows',
    'posts.csv',
    () => csvOf(150_000, 99_999),
    [0, 99_999, 0],
  ],
  ['20,000 posts of Ghost with one id and 20,000 tags', 'a.json', () => ghostOf(20_000), [20_000, 0, 0]],
  ['a post of WordPress with 300,000 tags', 'a.xml', () => wordPressOf(300_000), [1, 0, 0]],
  [
    'many files of 60 KiB of front matter',
    'a.zip',
    () => zipOf(manyFiles(100, { data: manyKeys() })),
    [100, 0, 0],
  ],
  ['HTML of many lines below the bound', 'a.html', () => 'x<br>'.repeat(0.4 * MiB), [1, 0, 0]],
])('a large file takes little memory: %s [OWN-14] [OWN-18]', async (_what, name, content, counts) => {
  const outcome = await importAlone(name, content())
  expect(outcome.counts).toEqual(counts)
  expect(outcome.peakMB).toBeLessThan(300)
})

function textWithRest(bytes: number): Uint8Array {
  const deflated = Buffer.concat([deflateRawSync('Snow.'), Buffer.alloc(bytes)])
  return zipOf([{ name: 'a.md', data: 'Snow.', deflated }])
}

const csvOf = (columns: number, rows: number) =>
  Array.from({ length: columns }, (_, index) => index).join(',') + '\na'.repeat(rows)

function ghostOf(count: number): string {
  const post = { id: 'p', title: 'The sea', html: '<p>Waves.</p>' }
  const data = {
    posts: Array(count).fill(post),
    tags: [{ id: 't', name: 'sea' }],
    posts_tags: Array(count).fill({ post_id: 'p', tag_id: 't' }),
  }
  return JSON.stringify({ db: [{ data }] })
}

function wordPressOf(count: number): string {
  const tags = Array.from({ length: count }, (_, index) => `<category domain="post_tag">${index}</category>`)
  return `<rss xmlns:wp="http://wordpress.org/export/1.2/"><item><title>The sea</title>${tags.join('')}</item>`
}

const manyKeys = () => `---\n${Array.from({ length: 8000 }, (_, index) => `k${index}:\n`).join('')}---\nSnow.`
