import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

// The smallest server in Node: the same bytes, headers and status for every request.
const { status, headers, body, etag } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as {
  status: number
  headers: Record<string, string>
  body: string
  etag: string
}
const bytes = Buffer.from(body, 'base64')

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end()
  else response.writeHead(status, headers).end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`ready http://127.0.0.1:${address?.port}`)
})
