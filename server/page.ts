import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { feedPaths, pagePaths } from '#contract/app/pages.ts'
import { type Post, titleOf } from '#contract/feed/post.ts'
import { cut } from '#contract/text.ts'
import { pageHeaders } from './platform/http/headers.ts'
import type { LimitRule } from './platform/http/limits.ts'
import { sendPrepared } from './platform/http/mount.ts'
import { sameForAll } from './platform/http/policy.ts'
import type { PreparedAnswers } from './platform/http/prepared-answers.ts'
import { etagOf, Prepared } from './platform/http/prepared.ts'
import { fileReads } from './platform/http/send-file.ts'
import type { Server } from './platform/http/server.ts'

interface PageData {
  /** The public settings as JSON. */
  config: () => string
  /** Today's feed as JSON: the same bytes until the feed changes. */
  todaysFeed: () => Promise<Prepared>
  findPublicPost: (id: string) => Promise<Post | undefined>
  /** Whether a visitor finds a page of this person. */
  hasPersonPage: (id: string) => Promise<boolean>
  answers: PreparedAnswers
  /** Where the page was built. */
  folder: string
}

/** What a page is made of. */
interface Parts {
  /** Pages under one key replace each other. */
  key: string
  status?: 404
  feed?: Prepared | undefined
  post?: Post
}

/** The page fetches a longer feed by itself, while its frame is shown. */
const embeddedFeedMaxBytes = 1024 * 1024
// A page, loaded anew a hundred times by each of six people.
const pageReads: LimitRule = { name: 'pages', count: 600, seconds: 60, by: 'address' }
const pageRoute = { schema: { hide: true }, config: { policy: sameForAll, reads: pageReads } } as const
const fromMemory = {
  ...pageRoute,
  config: { ...pageRoute.config, answersFromMemory: true },
} as const
const fileRoute = {
  schema: { hide: true },
  config: { policy: sameForAll, reads: fileReads, answersFromMemory: true },
} as const

/** Serves the built page with the data of its first paint embedded, and its assets. */
export async function addPage(server: Server, data: PageData) {
  const { app } = server
  const indexPath = join(data.folder, 'index.html')
  const template = existsSync(indexPath) ? readFileSync(indexPath, 'utf8') : undefined
  const pages = data.answers.of<{ prepared: Prepared; version: string }>('page')
  const assets = join(data.folder, 'assets') + sep

  await app.register(fastifyStatic, {
    root: data.folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    // Called for files that exist, so that a missing asset is never kept: another process may have it (S55).
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
  for (const file of ['theme.js', 'icon.svg', 'manifest.webmanifest'])
    app.get(`/${file}`, fileRoute, (_request, reply) => reply.sendFile(file))
  for (const path of pagePaths) {
    const showsFeed = feedPaths.includes(path)
    app.get(path, fromMemory, async (request, reply) =>
      send(request, reply, showsFeed ? { key: 'feed', feed: await feedUnlessAway() } : { key: 'plain' }),
    )
  }
  app.get('/posts/:id', pageRoute, async (request, reply) => {
    const post = await data.findPublicPost((request.params as { id: string }).id)
    if (post === undefined) return sendNotFound(request, reply)
    return send(request, reply, { key: `of post ${post.id}`, post })
  })
  app.get('/people/:id', pageRoute, async (request, reply) => {
    const isFound = await data.hasPersonPage((request.params as { id: string }).id)
    return isFound ? send(request, reply, { key: 'plain' }) : sendNotFound(request, reply)
  })
  server.onUnknownPage((request, reply) => sendNotFound(request, reply))

  const sendNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, { key: 'plain', status: 404 })

  /** A page without its data is better than none: it asks again by itself. */
  async function feedUnlessAway() {
    try {
      const feed = await data.todaysFeed()
      return feed.plain.length <= embeddedFeedMaxBytes ? feed : undefined
    } catch (error) {
      app.log.error({ err: error }, 'the feed of the page could not be read')
      return undefined
    }
  }

  /** An article is shown without the feed behind it, which is large and is fetched by the page once it is needed. */
  function preparedPage({ key, feed, post }: Parts): Prepared {
    if (template === undefined) throw new Error('The page is not built: npm run build')
    const config = data.config()
    const postJson = post === undefined ? 'null' : JSON.stringify(post)
    const version = `${config} ${feed?.etag} ${etagOf(postJson)}`
    const kept = pages.get(key)
    if (kept?.version === version) return kept.prepared
    const json = `{"config":${config},"feed":${feed?.plain.toString() ?? 'null'},"post":${postJson}}`
    const embedded = `<script type="application/json" id="embedded-data">${json.replaceAll('<', '\\u003c')}</script>`
    const prepared = new Prepared(
      template
        .replace(pageHead, (head) => (post === undefined ? head : headOf(post)))
        .replace('<!--embedded-data-->', () => embedded),
    )
    pages.keep(key, { prepared, version })
    return prepared
  }

  function send(request: FastifyRequest, reply: FastifyReply, parts: Parts) {
    const prepared = preparedPage(parts)
    reply.headers(pageHeaders).header('content-type', 'text/html; charset=utf-8')
    if (parts.status === 404) return reply.status(404).send(prepared.plain)
    return sendPrepared(request, reply.header('cache-control', 'no-cache'), prepared)
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
