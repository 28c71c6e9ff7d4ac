import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { accepts, freePort } from './ports.ts'
import { programEnvironment } from './programs.ts'

/** An nginx before servers on the loopback; its answers say in `x-served-by` which of them it was. */
export async function startNginx(ports: number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-nginx-'))
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  const log = join(folder, 'error.log')
  await writeFile(config, configOf({ folder, log, port, ports }))
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
    url: `http://127.0.0.1:${port}`,
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
  port: number
  ports: number[]
}

const configOf = ({ folder, log, port, ports }: Place) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${log} warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((use) => `${use}_temp_path ${folder}/${use};`).join('\n  ')}
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
}
`
