// A client in TypeScript: its types are generated from the description of the API.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.mts'

const baseUrl = process.argv[2]!
let cookie = ''
const api = createClient<paths>({ baseUrl })
api.use({
  onRequest: ({ request }) => request.headers.set('cookie', cookie),
  onResponse({ response }) {
    for (const line of response.headers.getSetCookie())
      if (/^(__Host-)?sid=/.test(line)) cookie = line.split(';')[0]!
  },
})

const guest = await api.POST('/api/guest-login')
assert.equal(guest.data!.isAnonymous, true)
const email = `client-${crypto.randomUUID()}@example.org`
const registered = await api.POST('/api/register', { body: { email, password: 'a long passcode' } })
const me: components['schemas']['User'] = registered.data!
assert.equal(me.email, email)

const save = (content: string, base: string | null) =>
  api.POST('/api/diary/save', { body: { date: '2025-06-10', content, base } })
const saved = await save('Rain.', null)
const conflict = await save('Sun.', null)
if (conflict.error?.code !== 'DiaryConflict') throw new Error('There must be a conflict.')
assert.deepEqual(conflict.error.current, saved.data)

const room = await api.POST('/api/zimmers/create', {
  body: { name: 'Clients', description: 'A check', isPublic: true, duration: 15, invitedFriends: [] },
})
const params = { path: { id: room.data!.id } }
const send = (content: string) =>
  api.POST('/api/zimmers/{id}/messages', {
    params: { ...params, header: { 'Idempotency-Key': `key of ${content}`.replaceAll(' ', '-') } },
    body: { content },
  })
const [first, again] = [await send('One'), await send('One')]
assert.deepEqual(again.data, first.data)
await send('Two')
const newest = await api.GET('/api/zimmers/{id}/messages', {
  params: { ...params, query: { limit: 1 } },
})
const positions: number[] = newest.data!.map(({ position }) => position)
assert.deepEqual(positions, [2])
const before = newest.response.headers.get('next-before')!
const older = await api.GET('/api/zimmers/{id}/messages', {
  params: { ...params, query: { limit: 1, before } },
})
// Only the author reads the salt of the passage, once.
const { salt, ...sent } = first.data!
assert.ok(salt)
assert.deepEqual(older.data, [sent])

const today = await api.GET('/api/feed/day/{offset}', { params: { path: { offset: 0 } } })
assert.ok(Array.isArray(today.data))
const refused = await api.GET('/api/admin/users')
assert.deepEqual([refused.response.status, refused.error?.code], [403, 'NotAllowed'])
console.log('The client in TypeScript works.')
