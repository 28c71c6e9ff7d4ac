import type { Creator, Portfolio } from '#contract/creators/creator.ts'
import { highlyRecommendedPortfolios } from './portfolios/highly-recommended.ts'
import { koenigPortfolios } from './portfolios/koenig.ts'
import { morePortfolios } from './portfolios/more.ts'
import { mostCreativePortfolios } from './portfolios/most-creative.ts'
import { multilingualPortfolios } from './portfolios/multilingual.ts'
import { recentlyAddedPortfolios } from './portfolios/recently-added.ts'

const portfolios: Partial<Record<string, Portfolio>> = {
  ...koenigPortfolios,
  ...recentlyAddedPortfolios,
  ...multilingualPortfolios,
  ...highlyRecommendedPortfolios,
  ...mostCreativePortfolios,
  ...morePortfolios,
}

/** The creator with the portfolio, if there is one. The texts are long: only dialogs that show them load this file. */
export function withPortfolio(creator: Creator): Creator {
  const portfolio = portfolios[creator.id]
  return portfolio ? { ...creator, portfolio } : creator
}
