import { type ReactNode, useState } from 'react'
import { useHas } from '#web/lib/app-config.tsx'
import { Button, type ButtonVariant } from '#web/ui/Button.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { supportOf, type Payment, type Supported } from './tips.ts'

interface PaymentButtonProps {
  creator: Supported
  payment: Payment
  variant?: ButtonVariant
  className?: string
  children: ReactNode
}

/** Opens the payment dialog of a creator. Nothing where tips are switched off. */
export function PaymentButton({
  creator,
  payment,
  variant = 'quiet',
  className,
  children,
}: PaymentButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useHas('tips')) return null
  return (
    <>
      <Button variant={variant} className={className ?? ''} onClick={() => setIsOpen(true)}>
        {children}
      </Button>
      {isOpen && <PaymentDialog creator={creator} payment={payment} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** Offers a tip and a message for the demo amounts of a creator. */
export const SupportButton = ({ creator }: { creator: Supported }) => (
  <PaymentButton creator={creator} payment={supportOf(creator)}>
    Tip or message
    <span className="sr-only">{creator.name}</span>
  </PaymentButton>
)

const PaymentDialog = part(async () => (await import('./PaymentDialog.tsx')).PaymentDialog, failedDialog)
