import { addAllowance, endAllowance, listAllowances } from '#contract/allowances/endpoints.ts'
import { allowanceEndError } from '#contract/allowances/rules.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { useAction, useEndpoint } from '#web/lib/api.ts'

const refreshes = [listAllowances, listAuditEntries]
export const useAllowances = () => useEndpoint(listAllowances, { staleTime: 0 })
export const useAddAllowance = () => useAction(addAllowance, { refreshes })
export const useEndAllowance = () => useAction(endAllowance, { refreshes, doneBy: 'AllowanceNotFound' })

/** The end of an allowance as an admin chooses it: after a number of hours, or with a day. */
export type AllowanceEnd = '3' | '8' | '24' | '168' | '720' | 'day'

const hourMs = 60 * 60 * 1000

/** When the allowance ends, or why it cannot end then. The chosen day is the last one. */
export function endOfAllowance(
  choice: AllowanceEnd,
  { day, now }: { day: string; now: Date },
): { until: string } | { error: string } {
  const until =
    choice === 'day' ? new Date(`${day}T00:00`) : new Date(now.getTime() + Number(choice) * hourMs)
  if (Number.isNaN(until.getTime())) return { error: 'Please choose a day.' }
  if (choice === 'day') until.setDate(until.getDate() + 1)
  const error = allowanceEndError(until, now)
  return error === undefined ? { until: until.toISOString() } : { error }
}
