export { PaymentButton, SupportButton } from './PaymentButton.tsx'
export { premiumOf, tipOf } from './tips.ts'
