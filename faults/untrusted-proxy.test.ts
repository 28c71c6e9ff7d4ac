import { expect, onTestFinished, test } from 'vitest'
import { startNginx } from '../scripts/testing/nginx.ts'
import { isInstalled } from '../scripts/testing/programs.ts'
import { startInstance } from './instance.ts'

test('behind an nginx that TRUST_PROXY does not name nobody reads /metrics, all people share one limit, and the log contains one warning [S47 S53 R21]', async (context) => {
  if (!isInstalled('nginx')) context.skip('nginx is not installed')
  const instance = await startInstance({ RATE_LIMITS: 'on' })
  const nginx = await startNginx([Number(new URL(instance.server.url).port)])
  onTestFinished(nginx.stop)
  const statusOf = async (url: string) => {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.status
  }
  expect(await statusOf(`${nginx.url}/metrics`)).toBe(404)
  expect(await statusOf(`${instance.server.url}/metrics`)).toBe(200)
  const statuses = []
  for (let i = 0; i < 620; i++) statuses.push(await statusOf(`${nginx.url}/api/config`))
  expect(statuses.slice(0, 600)).toEqual(Array(600).fill(200))
  expect(statuses.at(-1)).toBe(429)
  expect(await statusOf(`${instance.server.url}/api/config`)).toBe(200)
  expect(instance.server.output().match(/TRUST_PROXY does not name/g)).toHaveLength(1)
})
