import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import {
  changeInstanceSettings,
  getInstance,
  getInstancePage,
  getInstanceSettings,
  type StoredInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { InstanceFields, instanceLabels, type InstanceSettings } from '#contract/instance/settings.ts'
import { queryKeyOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { useFormChoices } from '#web/lib/form-choices.ts'
import { RequestError } from '#web/lib/request.ts'
import { instanceDraft } from './draft.ts'

export type Setting = keyof InstanceSettings

/** What shows a setting. */
const refreshes = [getConfig, getInstance, getInstancePage, listAuditEntries]
const failed = 'The settings could not be saved. Your changes are kept on this device.'

/** The settings as the admin has changed them so far. A change is stored in this browser until it is saved. */
export function useInstanceForm(stored: StoredInstanceSettings, adminId: string) {
  const client = useQueryClient()
  const { choices: draft, choose, forget } = useFormChoices(instanceDraft(adminId))
  const [conflict, setConflict] = useState<string>()
  const saving = useAction(changeInstanceSettings, { refreshes })
  const changes = draft.changes as Partial<InstanceSettings>
  const values: InstanceSettings = { ...stored, ...changes }
  const changed = Object.keys(changes) as Setting[]
  const errors = Object.fromEntries(
    changed.map((name) => [
      name,
      InstanceFields.shape[name].safeParse(values[name]).error?.issues[0]?.message,
    ]),
  ) as { [S in Setting]?: string | undefined }
  const keep = (current: StoredInstanceSettings) =>
    client.setQueryData(queryKeyOf(getInstanceSettings), current)

  const change = <S extends Setting>(name: S, value: InstanceSettings[S]) => {
    const { [name]: _, ...others } = changes
    const isAsStored = JSON.stringify(value) === JSON.stringify(stored[name])
    choose({
      changes: isAsStored ? (others as typeof changes) : { ...changes, [name]: value },
      base: changed.length === 0 ? stored.updatedAt : draft.base,
    })
  }
  const save = async () => {
    try {
      const saved = await saving.run({ input: { ...changes, base: draft.base } })
      forget()
      setConflict(undefined)
      keep(saved)
      // The server names it in the next page.
      document.documentElement.dataset['accent'] = saved.accent
      return true
    } catch (error) {
      if (!(error instanceof RequestError) || !error.current) return false
      // The endpoint declares the type.
      const current = error.current as StoredInstanceSettings
      setConflict(conflictSentence(stored, current))
      keep(current)
      choose({ base: current.updatedAt })
      saving.reset()
      return false
    }
  }
  return {
    values,
    errors,
    isChanged: changed.length > 0,
    isWrong: Object.values(errors).some((error) => error !== undefined),
    isSaving: saving.status === 'running',
    error: saving.error,
    failure: saving.error ? sentenceOf(saving.error, failed) : undefined,
    conflict,
    change,
    save,
    discard: () => {
      forget()
      setConflict(undefined)
      saving.reset()
    },
  }
}

function conflictSentence(before: StoredInstanceSettings, current: StoredInstanceSettings) {
  const names = (Object.keys(instanceLabels) as Setting[])
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(current[name]))
    .map((name) => instanceLabels[name])
  const what = names.length === 0 ? 'the settings' : names.join(', ')
  return `Another admin has changed ${what} in the meantime. Your own changes are still here. Save again to store them.`
}
