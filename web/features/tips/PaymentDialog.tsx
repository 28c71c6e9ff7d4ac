import { useState } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import type { Payment, Supported } from './tips.ts'

interface PaymentDialogProps {
  creator: Supported
  payment: Payment
  onClose: () => void
}

/** A demo of paying: it ends in a toast, and nothing is sent. */
export function PaymentDialog({ creator, payment: { title, offers }, onClose }: PaymentDialogProps) {
  const [chosen, setChosen] = useState(offers[0].label)
  const { label, amount, toast: description } = offers.find((offer) => offer.label === chosen) ?? offers[0]
  const toast = useToast()

  const pay = () => {
    onClose()
    toast({ title: 'Demo payment', description })
  }
  return (
    <Dialog
      title={title}
      description="This is a demo: nothing is charged."
      size="field"
      onClose={onClose}
      actions={<Button onClick={pay}>Pay ${amount}</Button>}
    >
      <div className="mb-4 flex items-center gap-3">
        <Avatar name={creator.name} />
        <div>
          <p className="font-serif font-semibold">{creator.name}</p>
          <p className="text-sm text-ink-soft">{creator.category}</p>
        </div>
      </div>
      {offers.length === 1 ? (
        <p>{label}</p>
      ) : (
        <RadioGroup
          legend="What would you like to give?"
          options={offers.map((offer) => ({ value: offer.label, label: offer.label }))}
          value={label}
          onChange={setChosen}
        />
      )}
    </Dialog>
  )
}
