import { initials } from '#contract/account/display-name.ts'

/** All of it is play: nobody pays and nothing is sent. Amounts are dollars. */
export const demoTipAmounts = [5, 8, 10] as const
export const demoMessagePrices = [3, 5, 7] as const
export const tipAmount = 5
export const monthlyMessagingFee = 5

export interface DemoTipItem {
  creatorName: string
  creatorId: string
  /** Initials. */
  avatar: string
  category: string
  tipAmount: number
  messagePrice: number
}

/** The demo item of a creator: always the same for the same id. */
export function demoTipItemOf(creator: { id: string; name: string; category: string }): DemoTipItem {
  const sum = Array.from(creator.id).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return {
    creatorName: creator.name,
    creatorId: creator.id,
    avatar: initials(creator.name),
    category: creator.category,
    tipAmount: demoTipAmounts[sum % 3] ?? tipAmount,
    messagePrice: demoMessagePrices[sum % 3] ?? monthlyMessagingFee,
  }
}

export const tipToast = (creatorName: string, amount: number) =>
  `Your $${amount} tip for ${creatorName} is a demo: nothing was charged.`

export const messageToast = (creatorName: string, amount: number) =>
  `Messaging ${creatorName} for $${amount} is a demo: nothing was charged.`

export const monthlyMessagingToast = (creatorName: string) =>
  `Messaging ${creatorName} for $${monthlyMessagingFee} monthly is a demo: nothing was charged.`
