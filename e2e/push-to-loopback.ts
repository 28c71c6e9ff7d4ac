// Loaded before the server by `--import`: its calls to the push service of the test come to this machine. The server itself
// calls no address that is not public.
import dns from 'node:dns/promises'
import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const host = 'push.example'
const port = new URL(import.meta.url).searchParams.get('port')

const { lookup } = dns
dns.lookup = ((name: string, options: object) =>
  name === host
    ? Promise.resolve([{ address: '8.8.8.8', family: 4 }])
    : lookup(name, options)) as typeof lookup

const { request } = https
https.request = ((options: RequestOptions & { servername?: string }) =>
  options.servername === host
    ? http.request({ ...options, host: '127.0.0.1', port })
    : request(options)) as typeof request

syncBuiltinESMExports()
