import { changeInstanceSettings, getInstanceSettings } from '#contract/instance/endpoints.ts'
import type { App } from './test.ts'

/** Announces a text for an hour, or removes the announcement. */
export async function announce({ admin }: App, text: string | null): Promise<void> {
  const { updatedAt: base } = await admin.client.does(getInstanceSettings)
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const announcement = text === null ? null : { text, link: null, endsAt }
  await admin.client.does(changeInstanceSettings, { input: { base, announcement } })
}
