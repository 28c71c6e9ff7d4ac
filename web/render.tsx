import { renderToString } from 'react-dom/server'
import type { RenderPage } from '#contract/app/page-data.ts'
import { App } from './app.tsx'
import { storePageData } from './embedded.ts'
import { createQueryClient } from './lib/query-client.ts'
import { AnnouncementBar } from './shell/Announcements.tsx'
import { InstanceLinks } from './shell/Footer.tsx'
import { preloadPage } from './shell/preload.ts'

/** Renders a page as a visitor without a session sees it. Throws what a component throws. */
export const render: RenderPage = async (address, data) => {
  const [path, search = ''] = address.split('?') as [string, string?]
  await Promise.all([AnnouncementBar.preload(), InstanceLinks.preload()])
  if (!(await preloadPage(path))) throw new Error(`The files of ${path} could not be loaded.`)
  const client = createQueryClient()
  storePageData(client, data)
  try {
    return renderToString(<App client={client} rendered={{ path, search }} />)
  } finally {
    // A browser keeps answers for minutes after their last use, and this thread would keep those of thousands of pages.
    client.clear()
  }
}
