import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PageRenderer } from './page-renderer.ts'
import { makePageFolder } from './testing/page-folder.ts'

const longestTimeoutMs = 2 ** 31 - 1
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 120_000 })

/** A renderer of pages, some of which fail in the way that their address names. */
function startRenderer(timeoutMs = longestTimeoutMs) {
  const folder = makePageFolder()
  writeFileSync(
    join(folder, 'render.js'),
    `import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(new URL('ended', import.meta.url), ''))
    export const render = async (address) => {
      if (address === '/throws') throw new Error('This page throws')
      if (address === '/ends') process.exit()
      if (address === '/ends-later') setTimeout(() => process.exit())
      if (address === '/loops') for (;;);
      if (address === '/hoards') globalThis.hoard = Array.from({ length: 500 }, () => new Array(100_000).fill(0.5))
      return 'the page ' + address
    }`,
  )
  const renderer = new PageRenderer(folder, timeoutMs)
  onTestFinished(() => renderer.end())
  const data = { title: '', answers: {}, lists: {} }
  return {
    render: async (address: string) => {
      const html = await renderer.render({ address, data })
      return html && new TextDecoder().decode(html)
    },
    hasEnded: () => existsSync(join(folder, 'ended')),
  }
}

test('pages that are requested at the same time are rendered one after the other [S51]', async () => {
  const { render } = startRenderer()
  expect(await Promise.all(['/a', '/b', '/c'].map(render))).toEqual([
    'the page /a',
    'the page /b',
    'the page /c',
  ])
})

test.each([
  ['/throws', 'This page throws'],
  ['/ends', 'The thread that renders pages has ended.'],
])('a page that fails (%s) rejects, and the next one is rendered [R14]', async (address, message) => {
  const { render } = startRenderer()
  const [failed, next] = await Promise.allSettled([render(address), render('/next')])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message } })
  expect(next).toEqual({ status: 'fulfilled', value: 'the page /next' })
})

test('a thread that ends between two pages is replaced [R14]', async () => {
  const { render, hasEnded } = startRenderer()
  expect(await render('/ends-later')).toBe('the page /ends-later')
  await expect.poll(hasEnded, patience).toBe(true)
  await expect.poll(() => render('/next').catch(() => ''), patience).toBe('the page /next')
})

test('a page that takes too long rejects, and another thread renders the next one [R14 S51]', async () => {
  const { render } = startRenderer(2000)
  await expect(render('/loops')).rejects.toThrow('/loops took too long to render.')
  // A slow machine may need several attempts to start a thread within this time.
  await expect.poll(() => render('/next').catch(() => ''), patience).toBe('the page /next')
})

test('a page that takes too long a second time has no HTML [S51 S52]', async () => {
  const { render } = startRenderer(500)
  await expect(render('/loops')).rejects.toThrow('/loops took too long to render.')
  expect(await render('/loops')).toBeUndefined()
})

test('a page that takes too much memory has no HTML, and another thread renders the next one [R24]', async () => {
  const { render } = startRenderer()
  expect(await render('/hoards')).toBeUndefined()
  expect(await render('/next')).toBe('the page /next')
})

test('when 50 pages wait, a further one is refused at once [R14]', async () => {
  const { render } = startRenderer()
  const results = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => render(`/${i}`)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(51)
})
