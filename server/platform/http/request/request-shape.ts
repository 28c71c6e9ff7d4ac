import type { FastifyRequest } from 'fastify'
import { Refused } from '../refusal.ts'

const maxUrlLength = 2048

/** Refuses a URL that could be read in two ways, so that it reaches no handler (S8). */
export function refuseAmbiguousUrl({ raw }: FastifyRequest): void {
  const url = raw.url ?? ''
  if (url.length > maxUrlLength) throw new Refused('AddressTooLong')
  const path = url.split('?')[0]!
  // The router would read what follows `#` as a query.
  const isOdd = !path.startsWith('/') || /\/\/|;|%(2f|5c|00)|\\/i.test(path) || url.includes('#')
  if (isOdd) throw new Refused('NotFound')
}

/** Refuses a query parameter of a call that is repeated or has brackets in its name: no call takes a list or an object (S27). */
export function refuseAmbiguousQuery({ url, query }: FastifyRequest): void {
  if (!url.startsWith('/api/')) return
  for (const [name, value] of Object.entries(query as object)) {
    if (Array.isArray(value))
      throw new Refused('InvalidInput', { error: 'A parameter of this address is there twice.' })
    if (/[[\]]/.test(name))
      throw new Refused('InvalidInput', { error: 'A parameter of this address has brackets in its name.' })
  }
}

/** Refuses a body of another media type than the call takes (S24, S27). */
export function refuseOtherMediaType({ headers, routeOptions }: FastifyRequest): void {
  const type = headers['content-type']
  if (routeOptions.config.endpoint?.file === undefined) {
    if (type !== undefined && !isJson(type)) throw new Refused('UnsupportedMediaType')
  } else if (!isMultipart(type ?? ''))
    throw new Refused('UnsupportedMediaType', { error: 'This call takes a file as multipart/form-data.' })
}

const isJson = (type: string) =>
  /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-8"?\s*(?:;\s*)?)?)?$/i.test(type)

const isMultipart = (type: string) => /^multipart\/form-data\s*;/i.test(type)
