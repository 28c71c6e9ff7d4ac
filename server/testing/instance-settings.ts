import { expect, vi } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import type { InstanceSettings } from '#contract/instance/settings.ts'
import type { Client } from './test-app.ts'

/** Lets an admin change settings. A new name of the instance shows that every process has them. */
export function settingsBy(
  boss: Client,
  { visitor, processes }: { visitor: () => Client; processes: number },
) {
  let base: string | null = null
  let count = 0
  return async (changed: Partial<InstanceSettings>) => {
    const name = `Change ${++count}`
    const saved: { updatedAt: string | null } = await boss.does(changeInstanceSettings, {
      input: { base, name, ...changed },
    })
    base = saved.updatedAt
    await vi.waitFor(async () => {
      for (let n = 0; n < processes; n++)
        expect(await visitor().does(getConfig)).toMatchObject({ companyName: name })
    })
  }
}
