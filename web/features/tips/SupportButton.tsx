import { Suspense, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'

export interface Supported {
  id: string
  name: string
  category: string
}

/** Opens the payment dialog of a creator. */
export function SupportButton({ creator }: { creator: Supported }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setIsOpen(true)}>
        Tip or message
        <VisuallyHidden>{creator.name}</VisuallyHidden>
      </Button>
      <Suspense>{isOpen && <PaymentDialog creator={creator} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}

const PaymentDialog = part(async () => (await import('./PaymentDialog.tsx')).PaymentDialog, failedDialog)
