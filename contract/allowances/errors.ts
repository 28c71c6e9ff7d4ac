import { allowancesMax } from './rules.ts'

export const allowanceErrors = {
  AllowanceNotFound: { status: 404, error: 'This allowance has ended.' },
  TooManyAllowances: {
    status: 400,
    error: `There are ${allowancesMax} allowances. End one of them before you add another one.`,
  },
} as const
