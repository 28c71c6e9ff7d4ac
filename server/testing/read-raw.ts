import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Reads answers of a listening server on one connection, without decompressing them. */
export function createReader(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> => {
    const sent = request(`${origin}${path}`, { agent, headers, method }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }
  }
}
