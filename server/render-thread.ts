import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { RenderPage } from '#contract/app/page-data.ts'
import type { Rendered, RenderOrder } from './page-renderer.ts'

const { render } = (await import(pathToFileURL(workerData as string).href)) as { render: RenderPage }

/** Each line of a verse becomes an element of 50 characters: a megabyte of one-letter lines would be 26 MB of HTML (R24). */
const htmlMaxLength = 4 * 1024 * 1024
const encoder = new TextEncoder()

parentPort!.on('message', async ({ address, data }: RenderOrder) => {
  const answer: Rendered = await render(address, data).then(
    (html) => ({ html: html.length > htmlMaxLength ? undefined : encoder.encode(html) }),
    (error: unknown) => ({ error }),
  )
  parentPort!.postMessage(answer, 'html' in answer && answer.html ? [answer.html.buffer] : [])
})
