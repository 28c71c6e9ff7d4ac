import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { feedPaths, pagePaths } from '#contract/app/pages.ts'
import { type Post, titleOf } from '#contract/feed/post.ts'
import { cut } from '#contract/text.ts'
import { pageHeaders } from './platform/http/headers.ts'
import type { LimitRule } from './platform/http/limits.ts'
import { sendPrepared } from './platform/http/mount.ts'
import { sameForAll } from './platform/http/policy.ts'
import { prepare, type Prepared } from './platform/http/prepared.ts'
import type { Server } from './platform/http/server.ts'

interface PageData {
  /** The public settings as JSON. */
  config: () => string
  /** Today's feed as JSON: the same text until the feed changes. */
  todaysFeed: () => Promise<string>
  findPublicPost: (id: string) => Promise<Post | undefined>
}

const keptPages = 50
const built = join(import.meta.dirname, '../dist/web')
// A page, loaded anew a hundred times by each of six people.
const pageReads: LimitRule = { name: 'pages', count: 600, seconds: 60, by: 'address' }
// A first visit takes some dozens: a hundred of those.
const fileReads: LimitRule = { name: 'files', count: 6000, seconds: 60, by: 'address' }
const pageRoute = { schema: { hide: true }, config: { policy: sameForAll, reads: pageReads } } as const
const fileRoute = { schema: { hide: true }, config: { policy: sameForAll, reads: fileReads } } as const

/** Serves the built page with the data of its first paint embedded, and its assets. */
export async function addPage(server: Server, data: PageData) {
  const { app } = server
  const indexPath = join(built, 'index.html')
  const template = existsSync(indexPath) ? readFileSync(indexPath, 'utf8') : undefined
  const pages = new Map<string, Promise<Prepared>>()

  await app.register(fastifyStatic, {
    root: built,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/.*'],
  })
  app.get('/assets/*', fileRoute, (request, reply) => {
    reply.headers(pageHeaders).header('cache-control', 'public, max-age=31536000, immutable')
    return reply.sendFile(`assets/${(request.params as { '*': string })['*']}`)
  })
  for (const file of ['theme.js', 'icon.svg', 'manifest.webmanifest', 'robots.txt']) {
    app.get(`/${file}`, fileRoute, (_request, reply) => {
      reply.headers(pageHeaders).header('cache-control', 'public, no-cache')
      return reply.sendFile(file)
    })
  }
  for (const path of pagePaths) {
    app.get(path, pageRoute, async (request, reply) => {
      const feed = feedPaths.includes(path) ? await feedUnlessAway() : 'null'
      return send(request, reply, 200, { feed, post: 'null', head: '' })
    })
  }
  app.get('/posts/:id', pageRoute, async (request, reply) => {
    const post = await data.findPublicPost((request.params as { id: string }).id)
    if (post === undefined) return sendNotFound(request, reply)
    const feed = await feedUnlessAway()
    return send(request, reply, 200, { feed, post: JSON.stringify(post), head: headOf(post) })
  })
  server.onUnknownPage((request, reply) => sendNotFound(request, reply))

  const sendNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, 404, { feed: 'null', post: 'null', head: '' })

  /** A page without its data is better than none: it asks again by itself. */
  async function feedUnlessAway() {
    try {
      return await data.todaysFeed()
    } catch (error) {
      app.log.error({ err: error }, 'the feed of the page could not be read')
      return 'null'
    }
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    parts: { feed: string; post: string; head: string },
  ) {
    if (template === undefined) throw new Error('The page is not built: npm run build')
    const json = `{"config":${data.config()},"feed":${parts.feed},"post":${parts.post}}`
    const key = `${parts.head}${json}`
    let page = pages.get(key)
    if (page === undefined) {
      page = prepare(
        template
          .replace(pageHead, (head) => parts.head || head)
          .replace(
            '<!--embedded-data-->',
            () =>
              `<script type="application/json" id="embedded-data">${json.replaceAll('<', '\\u003c')}</script>`,
          ),
      )
      pages.set(key, page)
      if (pages.size > keptPages) pages.delete(pages.keys().next().value!)
    }
    reply
      .headers(pageHeaders)
      .header('cache-control', status === 200 ? 'no-cache' : 'no-store')
      .header('content-type', 'text/html; charset=utf-8')
    return status === 200
      ? sendPrepared(request, reply, await page)
      : reply.status(status).send((await page).plain)
  }
}

/** Title and description of the page, which those of a post replace. */
const pageHead = /<!--page-head-->.*?<!--\/page-head-->/s

/** Title and description of a post that is opened by its own address. */
function headOf(post: Post) {
  const line = escape(cut(post.content.replace(/\s+/g, ' ').trim(), 160))
  const title = escape(titleOf(post))
  return `<title>${title} · Z!mmer</title><meta name="description" content="${line}" /><meta property="og:type" content="article" /><meta property="og:title" content="${title}" /><meta property="og:description" content="${line}" /><meta name="twitter:card" content="summary" />`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign]!)
