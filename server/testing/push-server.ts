import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Undefined where no browser of the test has this endpoint. */
  content: Record<string, string> | undefined
}

export const pushOrigin = 'https://push.example'

/** A push service on this machine, with the browsers that subscribe at it, which the caller closes. */
export async function openPushService(answer: RequestListener = (_request, response) => accept(response)) {
  const browsers = new Map<string, ECDH>()
  const secrets = new Map<string, Buffer>()
  const service = { received: [] as Received[], answer }
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const body = await buffer(request)
    const keys = browsers.get(path)
    const content = keys && decrypt(body, keys, secrets.get(path)!)
    service.received.push({ path, headers, body, content })
    service.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  /** The subscription of a new browser. Its endpoint has a public name. */
  function subscribe() {
    const path = `/${randomUUID()}`
    const keys = createECDH('prime256v1')
    const auth = randomBytes(16)
    browsers.set(path, keys)
    secrets.set(path, auth)
    return {
      endpoint: pushOrigin + path,
      p256dh: keys.generateKeys('base64url'),
      auth: auth.toString('base64url'),
    }
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(service, { subscribe, port, close })
}

const accept = (response: Parameters<RequestListener>[1]) => response.writeHead(201).end()

/** Decrypts the content of a push (RFC 8188 and RFC 8291). Throws for other keys. */
function decrypt(body: Buffer, keys: ECDH, auth: Buffer): Record<string, string> {
  const salt = body.subarray(0, 16)
  const keyStart = 21
  const sender = body.subarray(keyStart, keyStart + body.readUInt8(20))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = derive(keys.computeSecret(sender), { salt: auth, info, length: 32 })
  const key = derive(secret, { salt, info: 'Content-Encoding: aes128gcm\0', length: 16 })
  const nonce = derive(secret, { salt, info: 'Content-Encoding: nonce\0', length: 12 })
  const encrypted = body.subarray(keyStart + sender.length)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(encrypted.subarray(-16))
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()])
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as Record<string, string>
}

const derive = (
  secret: Buffer,
  { salt, info, length }: { salt: Buffer; info: Buffer | string; length: number },
) => Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** The claims of the signature of a push (RFC 8292). Throws when it was not made with the other half of its key. */
export function claimsOf({ authorization = '' }: IncomingHttpHeaders) {
  const [, token = '', publicKey = ''] = /^vapid t=(.+), k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('The signature is wrong.')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  return { publicKey, aud, exp, sub }
}
