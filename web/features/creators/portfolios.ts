import type { Creator, Portfolio } from '#contract/creators/creator.ts'
import content from './content/portfolios.json'

/** By the ids of creators. A test checks the fields of the file. */
const portfolios = content as Partial<Record<string, Portfolio>>

/** The creator with the portfolio, if there is one. The texts are long: only dialogs that show them load this file. */
export function withPortfolio(creator: Creator): Creator {
  const portfolio = portfolios[creator.id]
  return portfolio ? { ...creator, portfolio } : creator
}
