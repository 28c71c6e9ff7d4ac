import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPost } from '#contract/feed/endpoints.ts'
import { runWrk, serverCore, withInstance } from './instance.ts'
import { atLeast, fact, median, printTable } from './table.ts'

const rounds = 5
const connections = 32
const seconds = 3
/** A client that is busier than this limits the figure, so the run is void. */
const busiestClient = 0.9

const leastRatio = 0.75

const kinds = [
  { name: 'plain, 200', headers: {} },
  { name: 'compressed as for a browser, 200', headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } },
  { name: 'If-None-Match, 304', headers: { 'if-none-match': 'etag' } },
]

await withInstance(async ({ url, admin }) => {
  let id = ''
  for (let post = 0; post < 50; post++) {
    const content = `Post ${post}\n${'A line of a story that goes on for a while.\n'.repeat(11)}`
    ;({ id } = await admin.does(createPost, { input: { content, authorName: 'Ana Lima' } }))
  }
  await measure('The feed of a day as JSON', `${url}/api/feed/day/0`)
  await measure('The page of a day', `${url}/dashboard`)
  await measure('The page of an article', `${url}/posts/${id}`)
})

async function measure(title: string, address: string) {
  const plain = await ask(address, {})
  const figures = [fact('bytes', String(plain.body.length))]
  for (const { name, headers } of kinds) {
    const sent: Record<string, string> =
      'if-none-match' in headers ? { 'if-none-match': plain.etag } : headers
    const answer = await ask(address, sent)
    await withBareServer(answer, async (bare) => {
      const pairs = []
      for (let round = 0; round < rounds; round++) {
        pairs.push({ ours: load(address, sent), bare: load(bare, sent) })
      }
      const ratio = median(pairs.map(({ ours, bare: other }) => ours.rate / other.rate))
      const busiest = Math.max(...pairs.flatMap(({ ours, bare: other }) => [ours.busy, other.busy]))
      figures.push(
        atLeast(`${name}: ratio to a bare node:http`, ratio, leastRatio),
        fact(
          `${name}: requests/s, ours and bare`,
          `${median(pairs.map(({ ours }) => ours.rate)).toFixed(0)} and ${median(pairs.map(({ bare: other }) => other.rate)).toFixed(0)}`,
        ),
        fact(
          `${name}: busiest client core`,
          `${(busiest * 100).toFixed(0)} %${busiest > busiestClient ? ' (void)' : ''}`,
        ),
      )
    })
  }
  printTable(`${title}, ${connections} connections`, figures)
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
  etag: string
}

/** Reads the compressed bytes, which `fetch` would decompress. */
async function ask(address: string, headers: Record<string, string>): Promise<Answer> {
  const [response] = (await once(get(address, { headers, agent: false }), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const ofTheConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
  const kept = Object.entries(response.headers).filter(([name]) => !ofTheConnection.has(name))
  return {
    status: response.statusCode!,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks),
    etag: String(response.headers.etag),
  }
}

async function withBareServer(answer: Answer, work: (url: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-bench-'))
  const file = join(folder, 'answer.json')
  writeFileSync(file, JSON.stringify({ ...answer, body: answer.body.toString('base64') }))
  const child = spawn('taskset', ['-c', serverCore, 'node', 'bench/bare-server.ts', file])
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    await work(said.toString().replace('ready ', '').trim())
  } finally {
    child.kill()
    rmSync(folder, { recursive: true })
  }
}

/** Returns requests a second, and the share of the time in which the client was busy. */
function load(url: string, headers: Record<string, string>) {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return runWrk(seconds, ['-t1', `-c${connections}`, ...named, url])
}
