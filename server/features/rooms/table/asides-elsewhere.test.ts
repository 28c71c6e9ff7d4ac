import { expect, test } from 'vitest'
import { closeAbuseReport, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { addAside, hostTable } from '#contract/rooms/table/endpoints.ts'
import { createLog } from '#server/log.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { startWorld, type World } from '#server/testing/world.ts'

const asidesPath = '/api/zimmers/:id/asides'

/** Every address of the server that is read, with the table and its people in it. */
function addressesOf({ app, table }: World) {
  const patterns = app.mounted.filter(({ method, url }) => method === 'GET' && url !== '/api/live')
  return [...new Set(patterns.map(({ url }) => url))].flatMap((pattern) =>
    [table.id, table.memberId].flatMap((id) =>
      ['txt', 'md', 'atom', 'json'].map((format) => ({
        pattern,
        url:
          pattern
            .replace(/:(?:id|roomId|friendId|personId)/, id)
            .replace(':offset', '0')
            .replace(':day', '2025-06-10')
            .replace(':format', format)
            .replace('*', 'nothing.js') + (/search|finished|rooms$/.test(pattern) ? `?q=${canary}` : ''),
      })),
    ),
  )
}

/** The patterns of the addresses whose answers have the canary, by caller. */
async function findCanary(world: World) {
  const addresses = [...new Map(addressesOf(world).map((address) => [address.url, address])).values()]
  const found: string[] = []
  const { visitor, member, other, admin } = world.callers
  for (const [kind, who] of Object.entries({ visitor, member, other, admin }))
    for (const { pattern, url } of addresses) {
      if (pattern === '/api/logout') continue
      const { body, headers } = await who.request({ url })
      if ((body + JSON.stringify(headers)).includes(canary)) found.push(`${kind} ${pattern}`)
    }
  return [...new Set(found)].toSorted()
}

test('an aside is in no story, file, proof, list, page, feed, search, event, notification, webhook or log, before and after the end [TURN-18]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const world = await startWorld({ logger })
  const { app, callers, table, db, config } = world
  const { user, member } = callers
  const params = { id: table.id }
  const rooms = [table.id]
  const live = await Promise.all(
    Object.values(callers).map((who) =>
      openStream(app, who, who === user || who === member ? { rooms, inbox: who.me.id } : { rooms }),
    ),
  )
  for (const who of [user, member])
    await who.does(addAside, {
      params,
      input: { content: `${canary} beside the story` },
      headers: { 'idempotency-key': 'aside' },
    })
  await user.does(sendPassage, { params, input: { content: 'It was late.', turn: 1 } })
  for (const stream of live) await stream.receives('room.message')
  const readers = [`member ${asidesPath}`]
  expect(await findCanary(world)).toEqual(readers)

  await user.does(hostTable, { params, input: { act: 'end' } })
  for (const stream of live) await stream.receives('room.expired')
  expect(await findCanary(world)).toEqual(readers)
  for (const stream of live) expect(stream.text).not.toContain(canary)
  expect(await placesOfCanary(db, config.dataDir)).toEqual(['room_asides'])
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.join()).not.toContain(canary)
}, 150_000)

test('admins read a reported aside in the list of reports alone, and after its erasure no answer, event, notification or log has it [TABLE-01]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const world = await startWorld({ logger })
  const { app, callers, table, db, config } = world
  const { user, member, admin } = callers
  const params = { id: table.id }
  const live = await Promise.all(
    [user, member, admin].map((who) => openStream(app, who, { rooms: [table.id], inbox: who.me.id })),
  )
  const { id: targetId } = await user.does(addAside, { params, input: { content: canary } })
  const headers = { 'idempotency-key': 'report' }
  const report = await member.does(reportAbuse, {
    input: { kind: 'aside', targetId, reason: 'Unkind.' },
    headers,
  })
  expect(await findCanary(world)).toEqual(['admin /api/admin/reports', `member ${asidesPath}`])
  expect(await placesOfCanary(db, config.dataDir)).toEqual(['abuse_reports', 'room_asides'])

  await admin.does(closeAbuseReport, {
    params: { id: report.id },
    input: { outcome: 'removed', removal: 'erase', note: '' },
    headers,
  })
  const [ofUser, ofMember] = live
  await ofUser!.receives('aside.erased')
  await ofMember!.receives('report.closed')
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
  for (const stream of live) expect(stream.text).not.toContain(canary)
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.join()).not.toContain(canary)
}, 150_000)
