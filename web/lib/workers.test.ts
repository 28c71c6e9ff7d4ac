import { beforeEach, expect, test, vi } from 'vitest'

const started: unknown[] = []

beforeEach(() => {
  started.length = 0
  vi.resetModules()
  vi.stubGlobal(
    'Worker',
    class {
      constructor(file: unknown) {
        started.push(file)
      }
    },
  )
  return () => vi.unstubAllGlobals()
})

const ours = 'reports/count-worker'
const foreign = [
  'https://elsewhere.example/a.js',
  '/uploads/a.js',
  `../features/${ours}.ts`,
  'lib/workers',
  '',
]

test('a browser without Trusted Types starts our workers and no other script [S38]', async () => {
  const { startWorker } = await import('./workers.ts')
  startWorker(ours)
  for (const file of foreign) expect(() => startWorker(file)).toThrow('is no worker of this page')
  expect(started).toEqual([expect.stringContaining(ours)])
})

test('a browser with Trusted Types gets the file of a worker from the one policy, which refuses other scripts [S38]', async () => {
  const policies: string[] = []
  vi.stubGlobal('trustedTypes', {
    createPolicy: (name: string, { createScriptURL }: { createScriptURL: (file: string) => string }) => {
      policies.push(name)
      return { createScriptURL: (file: string) => ({ trusted: createScriptURL(file) }) }
    },
  })
  const { startWorker } = await import('./workers.ts')
  startWorker(ours)
  for (const file of foreign) expect(() => startWorker(file)).toThrow('is no worker of this page')
  expect(started).toEqual([{ trusted: expect.stringContaining(ours) }])
  expect(policies).toEqual(['zimmer'])
})

test('the service worker is installed from its own address, by the same policy [S38 OWN-01]', async () => {
  const installed: unknown[] = []
  vi.stubGlobal('trustedTypes', {
    createPolicy: (_: string, { createScriptURL }: { createScriptURL: (file: string) => string }) => ({
      createScriptURL: (file: string) => ({ trusted: createScriptURL(file) }),
    }),
  })
  vi.stubGlobal('navigator', { serviceWorker: { register: (file: unknown) => installed.push(file) } })
  const { registerServiceWorker, startWorker } = await import('./workers.ts')
  void registerServiceWorker()
  expect(installed).toEqual([{ trusted: '/sw.js' }])
  for (const file of ['/theme.js', '//elsewhere.example/sw.js', 'sw.js'])
    expect(() => startWorker(file)).toThrow('is no worker of this page')
})
