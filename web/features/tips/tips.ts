import { initials } from '#web/ui/Avatar.tsx'

// A demo: nobody pays and nothing is sent. Amounts are in dollars.
export const demoTipAmounts = [5, 8, 10] as const
export const demoMessagePrices = [3, 5, 7] as const
export const tipAmount = 5
const monthlyMessagingFee = 5

export interface Supported {
  id: string
  name: string
  category: string
}

interface DemoTipItem {
  creatorName: string
  creatorId: string
  /** Initials. */
  avatar: string
  category: string
  tipAmount: number
  messagePrice: number
}

/** The demo item of a creator. The same id always gives the same item. */
export function demoTipItemOf(creator: Supported): DemoTipItem {
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

/** What the payment dialog offers; the first offer is chosen at first. */
export interface Payment {
  title: string
  offers: readonly [Offer, ...Offer[]]
}

interface Offer {
  label: string
  amount: number
  /** The text of the toast after the payment. */
  toast: string
}

/** A tip or a message for the amounts of the demo item. */
export function supportOf(creator: Supported): Payment {
  const { tipAmount: tip, messagePrice } = demoTipItemOf(creator)
  return {
    title: `Support ${creator.name}`,
    offers: [
      { label: `A tip of $${tip}`, amount: tip, toast: tipToast(creator.name, tip) },
      {
        label: `A message for $${messagePrice}`,
        amount: messagePrice,
        toast: messageToast(creator.name, `$${messagePrice}`),
      },
    ],
  }
}

/** The tip of a portfolio. */
export const tipOf = ({ name }: Supported): Payment => ({
  title: `Tip ${name}`,
  offers: [{ label: `A tip of $${tipAmount}`, amount: tipAmount, toast: tipToast(name, tipAmount) }],
})

/** Messages with Premium, from a portfolio or the showcase. */
export const premiumOf = ({ name }: Supported): Payment => ({
  title: `Message ${name}`,
  offers: [
    {
      label: `Messages with Premium for $${monthlyMessagingFee} monthly`,
      amount: monthlyMessagingFee,
      toast: messageToast(name, `$${monthlyMessagingFee} monthly`),
    },
  ],
})

const tipToast = (creatorName: string, amount: number) =>
  `Your $${amount} tip for ${creatorName} is a demo: nothing was charged.`

const messageToast = (creatorName: string, price: string) =>
  `Messaging ${creatorName} for ${price} is a demo: nothing was charged.`
