import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accepts, freePort } from './ports.ts'
import { programEnvironment } from './programs.ts'

const deploy = join(import.meta.dirname, '../../deploy/nginx')

/** Starts an nginx in front of servers on the loopback. Its answers name the server in `x-served-by`. */
export async function startNginx(ports: number[]) {
  const { port, stop } = await startWith((place) => serversOf({ ...place, ports }))
  return { url: `http://127.0.0.1:${port}`, stop }
}

/**
 * Starts the example of `deploy/`, with servers on the loopback and a certificate of its own. With `takesTurns` each request
 * goes to the next server, whatever streams are open.
 */
export async function startNginxExample(ports: number[], { takesTurns = false } = {}) {
  const example = await readFile(join(deploy, 'zimmer.conf'), 'utf8')
  let certificate = ''
  const plainPort = await freePort()
  const { port, stop } = await startWith(async ({ folder, port: tlsPort }) => {
    certificate = await makeFirstCertificate(folder, `https://localhost:${tlsPort}`)
    const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`)
    return replaceAll(example, [
      [/server app-1:3000 .*\n\s*server app-2:3000 .*/, servers.join('\n')],
      ...(takesTurns ? [['least_conn;', ''] satisfies [string, string]] : []),
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['    listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2;`],
      ['listen [::]:80;', ''],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/nginx/certificates', folder],
      ['/etc/nginx/certificates', folder],
    ])
  })
  return {
    url: `https://localhost:${port}`,
    plainUrl: `http://localhost:${plainPort}`,
    certificate,
    stop,
  }
}

/** Fails when a text is missing, so that a change of the example is noticed. */
function replaceAll(text: string, replacements: [string | RegExp, string][]): string {
  return replacements.reduce((replaced, [from, to]) => {
    const next = replaced.replace(from, to)
    if (next === replaced) throw new Error(`The example of nginx has no ${String(from)} any more.`)
    return next
  }, text)
}

/** Makes the first certificate of compose, for the host of an origin, and returns it. */
export async function makeFirstCertificate(folder: string, origin: string): Promise<string> {
  const env = { ...process.env, PUBLIC_ORIGIN: origin }
  await promisify(execFile)(join(deploy, 'first-certificate.sh'), [folder], { env })
  return readFile(join(folder, 'fullchain.pem'), 'utf8')
}

async function startWith(servers: (place: { folder: string; port: number }) => string | Promise<string>) {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-nginx-'))
  // When nginx is started as root, it writes its buffers under another account.
  await chmod(folder, 0o711)
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  const log = join(folder, 'error.log')
  await writeFile(config, configOf({ folder, log, servers: await servers({ folder, port }) }))
  const checked = spawnSync('nginx', ['-t', '-c', config, '-e', log, '-p', folder], {
    env: programEnvironment,
  })
  if (checked.status !== 0) throw new Error(checked.stderr.toString())
  const child = spawn('nginx', ['-c', config, '-e', log, '-p', folder], {
    env: programEnvironment,
    stdio: 'ignore',
    detached: true,
  })
  const ended = once(child, 'exit')
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${await readFile(log, 'utf8')}`)
    await delay(20)
  }
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Place {
  folder: string
  log: string
  servers: string
}

const configOf = ({ folder, log, servers }: Place) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${log} warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((use) => `${use}_temp_path ${folder}/${use};`).join('\n  ')}
  ${servers}
}
`

const serversOf = ({ port, ports }: { port: number; ports: number[] }) => `
  upstream zimmer {
    # Streams stay for long: new ones go where fewer are.
    least_conn;
    ${ports.map((each) => `server 127.0.0.1:${each} fail_timeout=1s;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    add_header X-Served-By $upstream_addr always;
    location / { proxy_pass http://zimmer; }
    location = /api/live {
      proxy_pass http://zimmer;
      proxy_buffering off;
      proxy_read_timeout 60s;
    }
  }
`
