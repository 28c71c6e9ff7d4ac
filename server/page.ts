import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageData } from '#contract/app/page-data.ts'
import { setupPath } from '#contract/account/setup/path.ts'
import { pagePaths, shellPath, writePaths } from '#contract/app/pages.ts'
import { instancePagePath, instancePages } from '#contract/instance/pages.ts'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'
import { openidPath } from '#contract/openid/path.ts'
import { type Instance, siteNameOf } from './features/instance/index.ts'
import type { AnswerCache } from './platform/http/answers/answer-cache.ts'
import type { FindCached } from './platform/http/answers/early-answers.ts'
import { hasSessionMark } from './platform/http/request/session-cookie.ts'
import { pageHeaders } from './platform/http/headers.ts'
import type { LimitRule } from './platform/http/bounds/limits.ts'
import { sendPrepared } from './platform/http/endpoints/mount.ts'
import { clientAddress } from './platform/http/request/origin.ts'
import { everyone, sameForAll } from './platform/http/endpoints/policy.ts'
import { Prepared } from './platform/http/answers/prepared.ts'
import { fileReads } from './platform/http/answers/send-file.ts'
import { Refused } from './platform/http/refusal.ts'
import type { Server } from './platform/http/server.ts'
import { createSemaphore } from './platform/semaphore.ts'
import { addIcons, iconAddress, iconFiles } from './icons.ts'
import { addManifest } from './manifest.ts'
import { headTags, slicesInScript } from './page-head.ts'
import type { PageRenderer } from './page-renderer.ts'
import type { Page, PublicPages } from './public-pages.ts'

interface PageDeps {
  pages: PublicPages
  instance: Instance
  /** Whether a person may read the page of another one: neither has blocked the other. */
  mayReadPerson: (readerId: string, id: string) => Promise<boolean>
  hasAdmin: () => Promise<boolean>
  /** Whether people can sign in by a provider. */
  hasOpenid: boolean
  renderer: PageRenderer
  answers: AnswerCache
  /** Where the page was built. */
  folder: string
}

// A page, loaded anew a hundred times by each of six people.
const pageReads: LimitRule = { name: 'pages', count: 600, seconds: 60, by: 'address' }
/** A page with so many bytes of texts takes little memory and time. */
const shortPageBytes = 256 * 1024
const pageRoute = { config: { policy: sameForAll, reads: pageReads } } as const
const fromMemory = { config: { ...pageRoute.config, answersFromMemory: true } } as const
const fileRoute = {
  config: { policy: sameForAll, reads: fileReads, answersFromMemory: true },
} as const

/** Serves the pages with the data of their first paint embedded, public ones rendered, and the assets of the page. */
export async function addPage(server: Server, deps: PageDeps) {
  const { pages, instance, mayReadPerson, hasAdmin, hasOpenid, renderer, answers, folder } = deps
  const { app } = server
  const indexPath = join(folder, 'index.html')
  const template = existsSync(indexPath) ? readFileSync(indexPath, 'utf8') : undefined
  const cached = answers.of('page', { maxAgeMs: Infinity })
  let shell: { page: string; prepared: Prepared } | undefined
  const assets = join(folder, 'assets') + sep
  // The page of a person or a story has up to 10 MB, and everybody may request all of them at once (R24). A page also waits
  // for the renderer while it is made: a short one must not wait behind a long one (S58).
  const waiting = { maxWaiting: 40, maxWaitingPerOwner: 20 }
  const makeShort = createSemaphore({ ...waiting, atOnce: 4 })
  const makeLong = createSemaphore({ ...waiting, atOnce: 1 })
  const inTurn: typeof makeLong = (work, claim) =>
    ((claim?.size ?? 0) > shortPageBytes ? makeLong : makeShort)(work, claim)

  app.addHook('onListen', () => renderer.start())
  app.addHook('onClose', () => renderer.end())
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    // Called for files that exist, so that a missing asset is never cached: another process may have it (S55).
    setHeaders: (reply, path) => {
      reply.headers({
        ...pageHeaders,
        'cache-control': path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      })
    },
  })
  app.get('/assets/*', fileRoute, (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    return name.endsWith('.map') ? reply.callNotFound() : reply.sendFile(`assets/${name}`)
  })
  for (const file of builtFiles) app.get(`/${file}`, fileRoute, (_request, reply) => reply.sendFile(file))
  addIcons(app, instance, answers)
  addManifest(app, instance, folder)
  for (const path of [...pagePaths, ...writePaths])
    app.get(path, fromMemory, async (request, reply) =>
      send(request, reply, await pages.at(path, request.url, clientAddress(request.ip))),
    )
  for (const page of instancePages)
    app.get(instancePagePath(page), fromMemory, async (request, reply) => {
      const found = pages.ofInstance(page)
      return found === undefined ? sendNotFound(reply) : send(request, reply, found)
    })
  for (const [path, find, run] of [
    ['/posts/:id', pages.ofPost, withoutQueue],
    ['/stories/:id', pages.ofStory, inTurn],
  ] as const)
    app.get(path, pageRoute, async (request, reply) => {
      const page = await find((request.params as { id: string }).id)
      return page === undefined ? sendNotFound(reply) : send(request, reply, page, run)
    })
  // This page answers 404 to people on either side of a block, as the calls do. It asks the database only for a reader with
  // a session: a visitor is on no side of a block.
  app.get('/people/:id', { config: { ...pageRoute.config, policy: everyone } }, async (request, reply) => {
    const { id } = request.params as { id: string }
    const { viewer } = request
    const page = await pages.ofPerson(id, searchOf(request.url))
    const isFound = page !== undefined && (viewer.kind === 'visitor' || (await mayReadPerson(viewer.id, id)))
    return isFound ? send(request, reply, page, inTurn) : sendNotFound(reply)
  })
  if (hasOpenid)
    app.get(openidPath, pageRoute, async (request, reply) =>
      send(request, reply, await pages.at(openidPath, request.url, clientAddress(request.ip))),
    )
  // Never from memory: from the first admin on there is no such page.
  app.get(setupPath, pageRoute, async (request, reply) => {
    if (await hasAdmin()) return sendNotFound(reply)
    const page = await pages.at(setupPath, request.url, clientAddress(request.ip))
    return send(request, reply, { ...page, currentVersion: () => undefined })
  })
  // The page without data, which the service worker shows while there is no network.
  app.get(shellPath, pageRoute, async (request, reply) => {
    const page = builtPage()
    if (shell?.page !== page)
      shell = { page, prepared: new Prepared(page.replace('<html ', '<html data-shell="true" ')) }
    reply
      .headers(pageHeaders)
      .headers({ 'content-type': html, 'cache-control': 'no-cache' })
      .header('x-robots-tag', [reply.getHeader('x-robots-tag') ?? [], 'noindex'].flat().join(', '))
    return sendPrepared(request, reply, shell.prepared)
  })
  server.onUnknownPage((_request, reply) => sendNotFound(reply))

  /** The same bytes for what was never there, is hidden, or is private. */
  const sendNotFound = async (reply: FastifyReply) => {
    const prepared = await prepare(pages.notFound())
    return reply
      .headers(pageHeaders)
      .header('content-type', html)
      .status(404)
      .send(await prepared.in('plain'))
  }

  /** A browser that expects a session gets the page without the rendered text, which is what a visitor sees. */
  async function send(request: FastifyRequest, reply: FastifyReply, page: Page, run = withoutQueue) {
    const expectsSession = hasSessionMark(request)
    const wanted = expectsSession ? { ...page, renderedAt: undefined } : page
    const prepared = await prepare(wanted, (work) =>
      run(work, { owner: clientAddress(request.ip), size: page.bytes }),
    )
    reply.headers(pageHeaders).headers({ 'content-type': html, 'cache-control': 'no-cache' })
    return sendPrepared(request, reply, prepared, {
      vary: 'accept-encoding, cookie',
      find: expectsSession ? undefined : finderOf(page),
    })
  }

  /** Finds the cached page, unless it has changed or a query is needed to know that. */
  function finderOf(page: Page): FindCached {
    // The finder is kept for long: it must not hold the texts of the page or the request.
    const [key, { currentVersion }] = [keyOf(page), page]
    return () => {
      const version = currentVersion()
      return version === undefined ? undefined : cached.peek(key, version)
    }
  }

  /** The cached page if its version is current. Otherwise it is made once for all requests that wait. */
  async function prepare(page: Page, run: typeof inTurn = withoutQueue): Promise<Prepared> {
    const known = cached.peek(keyOf(page), page.version)
    if (known !== undefined) return known.prepared
    // Nobody waits for the renderer: all readers share the page without its text until the renderer works again.
    if (page.renderedAt !== undefined && !renderer.isAvailable)
      return prepare({ ...page, renderedAt: undefined }, run)
    return (await cached.get(keyOf(page), page.version, () => run(() => make(page)))).prepared
  }

  /** In the accent colour and with the icon that admins have chosen. Unchanged while they have chosen none. */
  function builtPage() {
    if (template === undefined) throw new Error('The page is not built: npm run build')
    return withLook(template, instance.settings())
  }

  async function make({ renderedAt, ...page }: Page) {
    const built = builtPage()
    const { head, data, isCached = true } = await page.read()
    const text = renderedAt === undefined ? undefined : await rendered(renderedAt, data)
    const isRendered = text !== undefined && text !== failed
    const withHead = built.replace(/<!--page-head-->.*?<!--\/page-head-->/s, () =>
      headTags(head, siteNameOf(instance.settings())),
    )
    const [beforeText, afterText] = split(
      isRendered ? markAsRendered(withHead, text) : withHead,
      '<div id="root"></div>',
    )
    const [beforeData, afterData] = split(afterText, '<!--embedded-data-->')
    // A page may have 10 MB: other work of the event loop comes between its parts (S51).
    const embedded = await slicesInScript(JSON.stringify(data))
    const bytes = Buffer.concat([
      Buffer.from(`${beforeText}<div id="root">`),
      ...(isRendered ? [text] : []),
      Buffer.from(`</div>${beforeData}<script type="application/json" id="embedded-data">`),
      ...embedded,
      Buffer.from(`</script>${afterData}`),
    ])
    await setImmediate()
    // A page whose rendering failed is not cached: the next request renders it.
    const staysCached = isCached && text !== failed && page.isCached !== false
    return { prepared: new Prepared(bytes), ...(!staysCached && { maxAgeMs: 0 }) }
  }

  /**
   * The HTML of a page. Undefined for a page that only the browser renders, such as a long one; `failed` when the server could
   * not render it this time.
   */
  async function rendered(address: string, data: PageData): Promise<Uint8Array | undefined | typeof failed> {
    if (!renderer.isBuilt) return undefined
    try {
      return await renderer.render({ address, data })
    } catch (error) {
      // Any visitor can cause refusals under load, and so a line in the log for each.
      if (!(error instanceof Refused)) app.log.error({ err: error, address }, 'a page could not be rendered')
      return failed
    }
  }
}

function withLook(page: string, look: InstanceSettings): string {
  const colour = look.accent === instanceDefaults.accent ? '' : `data-accent="${look.accent}" `
  return page
    .replace('<html ', `<html ${colour}`)
    .replace('href="/icon.svg"', `href="/${iconAddress('icon.svg', look)}"`)
}

/** `/theme.js` requests the entry script of a rendered page, once the text is painted. */
const markAsRendered = (page: string, text: Uint8Array) =>
  page
    .replace('<html ', '<html data-rendered="true" ')
    .replace('<head>', hasSidebar(text) ? `<head>${withSidebar}` : '<head>')
    .replace(/<script type="module"[^>]*><\/script>/, '')

/**
 * The sidebar stands after the text in the document, and takes its room from it: both are painted together. A browser
 * complains about an element that does not come, so a page without a sidebar does not name it.
 */
const withSidebar = '<link rel="expect" href="#sidebar" blocking="render" />'
const hasSidebar = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).includes('id="sidebar"')

const keyOf = ({ key, renderedAt }: Page) => (renderedAt === undefined ? key : `rendered ${key}`)

/** The query of an address with its question mark. */
const searchOf = (url: string) => /\?.*/.exec(url)?.[0] ?? ''

const withoutQueue: ReturnType<typeof createSemaphore> = (work) => work()

function split(page: string, mark: string): [string, string] {
  const at = page.indexOf(mark)
  return [page.slice(0, at), page.slice(at + mark.length)]
}

/** The files of the page whose names do not change with their content, without the manifest. */
const builtFiles = ['theme.js', 'sw.js', 'zimmer-verify.html']
export const pageFiles = [...builtFiles, ...Object.keys(iconFiles)]

const html = 'text/html; charset=utf-8'
const failed = Symbol('the page could not be rendered now')
