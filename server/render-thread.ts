import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { RenderPage } from '#contract/app/page-data.ts'
import type { Rendered, RenderOrder } from './page-renderer.ts'

const { render } = (await import(pathToFileURL(workerData as string).href)) as { render: RenderPage }

/** A line of one letter becomes an element of 50: a megabyte of them would be 26 MB (R24). */
const htmlMaxLength = 4 * 1024 * 1024

parentPort!.on('message', async ({ address, data }: RenderOrder) => {
  const answer: Rendered = await render(address, data).then(
    (html) => ({ html: html.length > htmlMaxLength ? undefined : html }),
    (error: unknown) => ({ error }),
  )
  parentPort!.postMessage(answer)
})
