// Runs in a process of its own, because V8 may abort the process of a page (S58).
import { flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { RenderPage } from '#contract/app/page-data.ts'
import type { FromRenderProcess, RenderOrder } from './page-renderer.ts'
import { endWithParent } from './platform/end-with-parent.ts'

endWithParent()
const { render } = (await import(pathToFileURL(process.argv[2]!).href)) as { render: RenderPage }

/** As `renderingMaxCost`: a page is longer only if its components write more than `renderingCost` counts (R24). */
const htmlMaxLength = 4 * 1024 * 1024

const send = (message: FromRenderProcess) => void process.send!(message)

process.on('message', async ({ address, data }: RenderOrder) => {
  send(
    await render(address, data).then(
      (html) => ({ html: html.length > htmlMaxLength ? undefined : Buffer.from(html) }),
      (error: unknown) => ({ error }),
    ),
  )
})
// Node keeps compiled modules at the end of a process, and this one is killed.
flushCompileCache()
send('ready')
