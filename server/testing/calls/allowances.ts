import { addAllowance, endAllowance, listAllowances } from '#contract/allowances/endpoints.ts'
import { type CallRow, admins, row } from './row.ts'

export const allowancesCalls: readonly CallRow[] = [
  row(listAllowances, admins),
  row(addAllowance, { ...admins, admin: 201 }, () => ({
    input: { network: '192.0.2.0/24', factor: 5, until: '2025-06-24T18:00:00.000Z' },
  })),
  row(endAllowance, admins, ({ allowance }) => ({ params: { id: allowance } })),
]
