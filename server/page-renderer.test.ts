import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PageRenderer } from './page-renderer.ts'
import { makePageFolder } from './testing/page-folder.ts'

const longestTimeoutMs = 2 ** 31 - 1
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 120_000 })

/** A renderer of pages, some of which fail in the way that their address names. */
function startRenderer({ timeoutMs = longestTimeoutMs, maxWaitMs = longestTimeoutMs } = {}) {
  const folder = makePageFolder()
  writeFileSync(
    join(folder, 'render.js'),
    `import { appendFileSync, existsSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    const note = (line) => appendFileSync(new URL('notes', import.meta.url), line + '\\n')
    if (existsSync(new URL('broken', import.meta.url))) process.exit(3)
    note('process ' + process.pid + ' ' + Object.keys(process.env).filter((name) => !name.startsWith('NODE_')))
    export const render = async (address) => {
      note(address)
      if (address === '/throws') throw new Error('This page throws')
      if (address === '/ends') process.exit()
      if (address.startsWith('/aborts')) process.abort()
      if (address === '/waits-a-second') await setTimeout(1000)
      if (address === '/ends-later') setImmediate(() => process.exit())
      if (address === '/loops') for (;;);
      if (address === '/waits') await setTimeout(2_000_000_000)
      if (address === '/hoards') globalThis.hoard = Array.from({ length: 500 }, () => new Array(100_000).fill(0.5))
      return 'the page ' + address
    }`,
  )
  const deaths: string[] = []
  const renderer = new PageRenderer(folder, {
    timeoutMs,
    maxWaitMs,
    onEnd: (reason) => void deaths.push(reason),
  })
  onTestFinished(() => renderer.end())
  const notes = () => {
    const file = join(folder, 'notes')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }
  const render = async (address: string, content = '') => {
    const data = { title: '', answers: { '/api/posts/1': { content } }, lists: {} }
    const html = await renderer.render({ address, data })
    return html && new TextDecoder().decode(html)
  }
  return {
    folder,
    renderer,
    render,
    deaths,
    /** What the process was given: the addresses of pages, in order. */
    given: () => notes().filter((note) => note.startsWith('/')),
    starts: () => notes().filter((note) => note.startsWith('process ')),
    isRendered: () =>
      render('/next').then(
        (html) => html === 'the page /next',
        () => false,
      ),
  }
}

const lines = (count: number) => 'a\n'.repeat(count)

test('pages that are requested at the same time are rendered one after the other [S51]', async () => {
  const { render } = startRenderer()
  expect(await Promise.all(['/a', '/b', '/c'].map((address) => render(address)))).toEqual([
    'the page /a',
    'the page /b',
    'the page /c',
  ])
})

test('a page above the bound has no HTML, and the process that renders is never given it [S58 R16]', async () => {
  const { render, given } = startRenderer()
  expect(await render('/bounded', lines(50_000))).toBe('the page /bounded')
  for (const count of [53_000, 100_000, 500_000]) expect(await render('/above', lines(count))).toBeUndefined()
  expect(await render('/next')).toBe('the page /next')
  expect(given()).toEqual(['/bounded', '/next'])
})

test('a page that is new and short waits only for the page in progress, and not for the long ones [S58]', async () => {
  const { render, given } = startRenderer()
  await Promise.all([
    render('/long-1', lines(40_000)),
    render('/long-2', lines(40_000)),
    render('/long-3', lines(40_000)),
    render('/short-1'),
    render('/short-2'),
  ])
  expect(given()).toEqual(['/long-1', '/short-1', '/short-2', '/long-2', '/long-3'])
})

test('a page that throws rejects, and the next one is rendered by the same process [R14]', async () => {
  const { render, starts } = startRenderer()
  const [failed, next] = await Promise.allSettled([render('/throws'), render('/next')])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'This page throws' } })
  expect(next).toEqual({ status: 'fulfilled', value: 'the page /next' })
  expect(starts()).toHaveLength(1)
})

test.each([
  ['/ends', 'exit code 0'],
  ['/aborts', 'SIGABRT'],
  ['/hoards', 'SIGABRT'],
])(
  'a page that ends the process (%s) rejects, nobody waits for the next process, and that one renders [R14 R16 S58]',
  async (address, reason) => {
    const { render, deaths, isRendered } = startRenderer()
    const answers = Promise.allSettled([render(address), render('/waiting')])
    const [failed, waiting] = await answers
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(reason) } })
    // Refused at once, and not rendered by the next process.
    expect(waiting).toMatchObject({ status: 'rejected', reason: { code: 'Unavailable' } })
    expect(deaths).toEqual([expect.stringContaining(`The process that renders pages has ended: ${reason}`)])
    await expect.poll(isRendered, patience).toBe(true)
  },
)

test('a process that is killed in the middle of a page, or ends between two, is replaced [R14 R16]', async () => {
  const { render, starts, given, isRendered } = startRenderer()
  const killed = render('/waits').catch(({ message }: Error) => message)
  await expect.poll(given, patience).toEqual(['/waits'])
  process.kill(Number(starts()[0]!.split(' ')[1]), 'SIGKILL')
  expect(await killed).toContain('SIGKILL')
  await expect.poll(isRendered, patience).toBe(true)
  expect(await render('/ends-later')).toBe('the page /ends-later')
  await expect.poll(() => isRendered().then(() => starts().length), patience).toBe(3)
  await expect.poll(isRendered, patience).toBe(true)
})

test('a process that cannot start is tried again after a growing delay of at most 30 s, and at once after a page was rendered [S58]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { renderer, deaths, isRendered, folder, render } = startRenderer()
  const delayOfNextStart = () => {
    const diedAt = Date.now()
    vi.advanceTimersToNextTimer()
    return Date.now() - diedAt
  }
  writeFileSync(join(folder, 'broken'), '')
  renderer.start()
  const delays = []
  for (let count = 1; count <= 8; count++) {
    // `expect.poll` would advance the clock.
    while (deaths.length < count) await setImmediate()
    expect(await isRendered()).toBe(false)
    if (count === 8) rmSync(join(folder, 'broken'))
    delays.push(delayOfNextStart())
  }
  expect(delays).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  while (!(await isRendered())) await setImmediate()
  await render('/ends').catch(() => {})
  expect(delayOfNextStart()).toBe(0)
})

test('a page that takes too long rejects, and another process renders the next one [R14 S51]', async () => {
  const { render, isRendered } = startRenderer({ timeoutMs: 2000 })
  await expect.poll(isRendered, patience).toBe(true)
  await expect(render('/loops')).rejects.toThrow('/loops took too long to render.')
  await expect.poll(isRendered, patience).toBe(true)
})

test.each(['/loops', '/aborts'])(
  'a page that fails twice (%s) has no HTML and is not rendered again, unless its text is another one [S51 S52 S58]',
  async (address) => {
    const { render, given, isRendered } = startRenderer({ timeoutMs: 2000 })
    await expect.poll(isRendered, patience).toBe(true)
    await expect(render(address)).rejects.toThrow(/took too long|has ended/)
    await expect.poll(isRendered, patience).toBe(true)
    expect(await render(address)).toBeUndefined()
    await expect.poll(isRendered, patience).toBe(true)
    expect(await render(address)).toBeUndefined()
    expect(given().filter((each) => each === address)).toHaveLength(2)
    await expect(render(address, 'another text')).rejects.toThrow(/took too long|has ended/)
  },
)

test.each(['?posts-before=', '?day='])(
  'a page that failed twice is not rendered again under another query (%s) that shows the same [S52 S58]',
  async (query) => {
    const { render, given, isRendered } = startRenderer()
    await expect.poll(isRendered, patience).toBe(true)
    for (const count of [1, 2, 3]) {
      const outcome = await render(`/aborts${query}${count}`).catch(() => 'failed')
      expect([count, outcome]).toEqual([count, count === 1 ? 'failed' : undefined])
      await expect.poll(isRendered, patience).toBe(true)
    }
    expect(given().filter((each) => each.startsWith('/aborts'))).toHaveLength(2)
    await expect(render(`/aborts${query}4`, 'another text')).rejects.toThrow('has ended')
  },
)

test('a page that waits too long for another one is refused, and the other one is rendered [R14 S58]', async () => {
  const { render, given } = startRenderer({ maxWaitMs: 50 })
  const long = render('/waits-a-second')
  await expect.poll(given, patience).toEqual(['/waits-a-second'])
  await expect(render('/next')).rejects.toMatchObject({ code: 'Unavailable' })
  expect(await long).toBe('the page /waits-a-second')
  expect(given()).toEqual(['/waits-a-second'])
  expect(await render('/next')).toBe('the page /next')
})

test('the process has no settings of the server in its environment [S50 S58]', async () => {
  const { render, starts } = startRenderer()
  await render('/next')
  expect(starts()[0]).toMatch(/^process \d+ ?$/)
})

test('when 50 pages wait, a further one is refused at once [R14]', async () => {
  const { render } = startRenderer()
  const results = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => render(`/${i}`)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(51)
})
