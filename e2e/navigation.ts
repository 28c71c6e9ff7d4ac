import type { Page, Request } from '@playwright/test'
import { livePath } from '#contract/live/events.ts'

/** Goes to another page of the app as by a link: the program is not loaded again. */
export const go = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path)

/** Goes to another page of the app as by a link, and waits until it has requested nothing for as long as `networkidle` waits. */
export async function goTo(page: Page, path: string) {
  const pending = new Set<Request>()
  const { promise: isIdle, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    clearTimeout(timer)
    if (pending.size === 0) timer = setTimeout(resolve, 500)
  }
  const begin = (request: Request) => {
    // The stream of events stays open.
    if (new URL(request.url()).pathname !== livePath) pending.add(request)
    wait()
  }
  const end = (request: Request) => {
    pending.delete(request)
    wait()
  }
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await go(page, path)
  wait()
  await isIdle
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
}
