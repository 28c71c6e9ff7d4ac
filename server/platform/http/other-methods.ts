import type { FastifyInstance, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
import { routerOptions } from './create-fastify.ts'

interface Path {
  url: string
  /** The methods that the path takes, for the header `Allow`. */
  allow: string
}

/**
 * Returns a function that finds the path of a request whose method this path does not take (S8). It has a router of its own
 * with each path once: in that of Fastify, a path with a parameter would take the other methods of a path without one. A route
 * for each other method of each path would take most of the time of a start.
 */
export function knowPaths(app: FastifyInstance): (request: FastifyRequest) => Path | undefined {
  const paths = createRouter(routerOptions)
  app.addHook('onReady', (done) => {
    for (const [url, routes] of Map.groupBy(app.mounted, (route) => route.url)) {
      const methods = new Set(routes.flatMap(({ method }) => method))
      paths.get(url, () => {}, { url, allow: [...methods].join(', ') } satisfies Path)
    }
    done()
  })
  return (request) => {
    const { url } = request.routeOptions
    const mayBeOther = url === undefined || /[:*]/.test(url)
    const path = mayBeOther ? (paths.find('GET', request.url)?.store as Path | undefined) : undefined
    return path?.url === url ? undefined : path
  }
}
