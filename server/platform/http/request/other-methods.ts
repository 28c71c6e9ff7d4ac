import type { FastifyInstance, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
import { routerOptions } from '../create-fastify.ts'

interface Path {
  url: string
  /** The methods that the path takes, for the header `Allow`. */
  allow: string
}

/**
 * Returns a function that finds the path of a request whose method this path does not take (S8). It has a router of its own
 * with each path once. In the router of Fastify `DELETE /one/fixed` would reach `/one/:id`. A route for each
 * other method of each path would take most of the time of a start. The package `find-my-way` is the router of Fastify: both
 * must have one version, so that they read an address alike.
 */
export function refusedPathFinder(app: FastifyInstance): (request: FastifyRequest) => Path | undefined {
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
