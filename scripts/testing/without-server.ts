import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { BrowserContext } from '@playwright/test'

const built = join(import.meta.dirname, '../../dist/web')
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Takes the network from a browser whose service worker has all files of the program: every page is the page without data,
 * and every call fails.
 */
export async function takeNetwork(context: BrowserContext): Promise<void> {
  const page = readFileSync(join(built, 'index.html'), 'utf8').replace('<html', '<html data-shell="true"')
  await context.route('**/*', (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const file = join(built, pathname)
    if (request.isNavigationRequest()) return route.fulfill({ body: page, contentType: 'text/html' })
    if (pathname.startsWith('/api/') || !existsSync(file) || !statSync(file).isFile())
      return route.abort('internetdisconnected')
    return route.fulfill({ path: file, contentType: types[extname(file)] ?? 'application/octet-stream' })
  })
  await context.setOffline(true)
}

export async function giveNetworkBack(context: BrowserContext): Promise<void> {
  await context.unroute('**/*')
  await context.setOffline(false)
}
