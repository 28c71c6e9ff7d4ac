import type { Feature } from '#server/feature.ts'
import { keyFor } from '#server/platform/instance.ts'
import { createFeeds, type Deps as FeedDeps } from './feeds.ts'
import { addHub, type Deps as HubDeps } from './hub.ts'
import { addRobots } from './robots.ts'
import { addFeeds } from './routes.ts'
import { addSitemap } from './sitemap.ts'

export { createFeeds } from './feeds.ts'

export const feature = {
  start: (deps: Omit<FeedDeps, 'key'> & HubDeps & { secret: string }) => ({
    serve(server) {
      addHub(server, deps)
      addFeeds(server, createFeeds({ ...deps, key: keyFor('ids of feeds', deps.secret) }))
      addRobots(server, deps.config)
      addSitemap(server, deps)
    },
  }),
} satisfies Feature
