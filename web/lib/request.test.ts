import { afterEach, expect, test, vi } from 'vitest'
import { getDiary } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { queryKeyOf } from './api.ts'
import { createQueryClient, retriesRead, retryDelay, userFreshMs } from './query-client.ts'
import { retriesChange } from './use-action.ts'
import { RequestError, send } from './request.ts'
import { readInParts } from './read-in-parts.ts'

afterEach(() => vi.restoreAllMocks())

const answer = (status: number, body: string, statusText = '') => {
  const fetching = vi.fn<typeof fetch>(async () => new Response(body, { status, statusText }))
  globalThis.fetch = fetching
  return fetching
}
const failure = (sent: Promise<unknown>) =>
  sent.then(() => undefined).catch((error: unknown) => error as RequestError)
const readToday = () => send(getFeedDay, { params: { offset: '0' } })

test('a read is a GET of the path that is its key, to our own server, with credentials, and its JSON is the answer [GEN-01 GEN-02 GEN-03 GEN-04]', async () => {
  const fetching = answer(200, '[{"id":"a"}]')
  expect(await readToday()).toEqual([{ id: 'a' }])
  const [path, init] = fetching.mock.calls[0]!
  expect(queryKeyOf(getFeedDay, { params: { offset: '0' } })).toEqual([path])
  expect(path).toBe('/api/feed/day/0')
  expect(init).toMatchObject({ method: 'GET', credentials: 'same-origin' })
})

test.each([
  [500, 'plain text', '', '500: plain text'],
  [503, '', 'Service Unavailable', '503: Service Unavailable'],
  [
    401,
    '{"code":"SignInRequired","error":"Please sign in."}',
    '',
    '401: {"code":"SignInRequired","error":"Please sign in."}',
  ],
])(
  'an answer of %i is an error that says the status and the text, else the status text [GEN-05 GEN-06 GEN-07]',
  async (status, body, statusText, message) => {
    answer(status, body, statusText)
    expect((await failure(readToday()))?.message).toBe(message)
  },
)

test('a refusal carries the sentence for people, its code and its fields', async () => {
  answer(400, '{"code":"InvalidInput","error":"Please write.","fields":{"content":"Please write."}}')
  expect(await failure(send(submitPost, { input: { content: '', authorName: '' } }))).toMatchObject({
    status: 400,
    code: 'InvalidInput',
    error: 'Please write.',
    fields: { content: 'Please write.' },
  })
})

/** What comes one after the other, and how it ends. */
function arriving(chunks: Uint8Array[], failure?: Error) {
  const left = chunks.values()
  return new ReadableStream({
    pull: (controller) => {
      const { value, done } = left.next()
      if (!done) controller.enqueue(value)
      else if (failure) controller.error(failure)
      else controller.close()
    },
  })
}

test.each([
  ['in lines', '[{"date":"a"},{"date":"b"}\n,{"date":"c,\\n]"}\n]', ['a,b', 'c,\n]', '']],
  ['in one line', '[{"date":"a"},{"date":"é]"}]', ['a,é]']],
  ['without an item', '[]', ['']],
])(
  'a list that comes %s is read wherever it breaks, each line as soon as it is there',
  async (_how, body, parts) => {
    const bytes = new TextEncoder().encode(body)
    const readBy = async (size: number) => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.slice(n * size, (n + 1) * size),
      )
      vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(arriving(chunks)))
      const read: string[] = []
      for await (const part of readInParts(getDiary))
        read.push(part.map((day: object) => Object.values(day)[0] as string).join())
      return read
    }
    for (const size of [1, 2, 7]) expect(await readBy(size)).toEqual(parts)
    expect((await readBy(bytes.length)).join()).toBe(parts.join())
  },
)

test('a list that breaks off fails after the lines that came', async () => {
  const line = new TextEncoder().encode(
    '[{"entry_date":"2025-06-01","content":"Rain","updated_at":null}\n,{"entry',
  )
  for (const [first, failure, message] of [
    [line, new TypeError('network error'), 'network error'],
    [line.slice(0, -7), undefined, 'The list broke off.'],
  ] as const) {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(arriving([first], failure)))
    const parts = readInParts(getDiary)
    expect((await parts.next()).value).toHaveLength(1)
    await expect(parts.next()).rejects.toThrow(message)
  }
})

test('a list of several pages is read to its end by the cursors of its answers [OWN-16]', async () => {
  const page = (day: string, headers?: HeadersInit) =>
    Response.json([{ entry_date: day, content: 'Rain', updated_at: null }], { ...(headers && { headers }) })
  const fetching = vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValueOnce(page('2025-06-03', { 'next-before': '2025-06-03' }))
    .mockResolvedValueOnce(page('2025-06-02', { 'next-before': '2025-06-02' }))
    .mockResolvedValueOnce(page('2025-06-01'))
  const days = await Array.fromAsync(readInParts(getDiary, { query: { limit: '1' } }))
  expect(days.flat().map(({ entry_date }) => entry_date)).toEqual(['2025-06-03', '2025-06-02', '2025-06-01'])
  expect(fetching.mock.calls.map(([path]) => path)).toEqual([
    '/api/diary?limit=1',
    '/api/diary?limit=1&before=2025-06-03',
    '/api/diary?limit=1&before=2025-06-02',
  ])
})

const failed = (status: number) => new RequestError(status, 'text', null)

test.each([
  [401, 0],
  [403, 0],
  [404, 0],
  [400, 3],
  [500, 3],
])('a read refused with %i is tried again %i times [GEN-08 GEN-09 GEN-18 GEN-22]', (status, times) => {
  const tries = [0, 1, 2, 3, 4].filter((failures) => retriesRead(failures, failed(status)))
  expect(tries).toHaveLength(times)
})

test.each([
  [400, 0],
  [401, 0],
  [403, 0],
  [404, 2],
  [409, 0],
  [503, 2],
])('a change refused with %i is tried again %i times [GEN-10 GEN-11]', (status, times) => {
  const tries = [0, 1, 2, 3, 4].filter((failures) => retriesChange(failures, failed(status)))
  expect(tries).toHaveLength(times)
})

test('the wait before another try doubles from 1 s up to 30 s [GEN-12 GEN-18 GEN-19]', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 20].map(retryDelay)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})

test('what is kept stays fresh for 5 minutes, a person for 30, and nothing is read by itself [GEN-13 GEN-14 GEN-15 GEN-16 GEN-17 GEN-23]', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
    staleTime: 5 * 60_000,
    gcTime: 5 * 60_000,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })
  expect(userFreshMs).toBe(30 * 60_000)
})
