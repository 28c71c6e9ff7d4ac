import { pathOf } from '#contract/endpoint.ts'
import { getReceipt, getRoomSeal } from '#contract/rooms/credit/endpoints.ts'
import type { Receipt, Seal } from '#contract/rooms/credit/seal.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

export const minuteMs = 60_000

/** Ana and Ben have written three passages in a room that is open. */
export async function startStory(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp(options)
  return { ...t, ...(await writeStory(t)) }
}

export async function writeStory(t: Pick<Awaited<ReturnType<typeof startTestApp>>, 'person' | 'clock'>) {
  const [ana, ben] = [await t.person(), await t.person()]
  const { id } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  const params = { id }
  await ben.does(joinRoom, { params })
  const send = (who: Client, content: string) => who.does(sendPassage, { params, input: { content } })
  const sent = [await send(ana, 'It was late.'), await send(ben, 'A lamp'), await send(ana, 'went out.')]
  const end = () => t.clock.advance(15 * minuteMs)
  return { ana, ben, id, params, send, sent, end }
}

export const sealOf = async (who: Client, id: string) => textOf(who, pathOf(getRoomSeal, { params: { id } }))
export const receiptOf = async (who: Client, id: string) =>
  textOf(who, pathOf(getReceipt, { params: { id } }))
export const parsed = <File extends Seal | Receipt>(text: string) => JSON.parse(text) as File

async function textOf(who: Client, url: string): Promise<string> {
  const { statusCode, body } = await who.request({ url })
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`)
  return body
}
