import type { Feature } from '#server/feature.ts'
import { createFeeds, type Deps } from './feeds.ts'
import { addHub, type Deps as HubDeps } from './hub.ts'
import { addRobots } from './robots.ts'
import { addFeeds } from './routes.ts'
import { addSitemap } from './sitemap.ts'

export { listAuthors, listPosts } from './queries.ts'

export const feature = {
  start: (deps: Deps & HubDeps) => ({
    serve(server) {
      addHub(server, deps)
      addFeeds(server, createFeeds(deps))
      addRobots(server, deps.config, deps.instance)
      addSitemap(server, deps)
    },
  }),
} satisfies Feature
