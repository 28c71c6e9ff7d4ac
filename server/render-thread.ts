import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { RenderPage } from '#contract/app/page-data.ts'
import type { Rendered, RenderOrder } from './page-renderer.ts'

const { render } = (await import(pathToFileURL(workerData as string).href)) as { render: RenderPage }

parentPort!.on('message', async ({ address, data }: RenderOrder) => {
  const answer: Rendered = await render(address, data).then(
    (html) => ({ html }),
    (error: unknown) => ({ error }),
  )
  parentPort!.postMessage(answer)
})
