import { useState } from 'react'
import { demoTipItemOf, messageToast, tipToast } from '#contract/feed/tips.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import type { Supported } from './SupportButton.tsx'

/** Paying is play: it ends in a toast, and nothing is sent. */
export function PaymentDialog({ creator, onClose }: { creator: Supported; onClose: () => void }) {
  const item = demoTipItemOf(creator)
  const [bought, setBought] = useState<'tip' | 'message'>('tip')
  const toast = useToast()
  const amount = bought === 'tip' ? item.tipAmount : item.messagePrice

  const pay = () => {
    const text = bought === 'tip' ? tipToast : messageToast
    onClose()
    toast({ title: 'Demo payment', description: text(item.creatorName, amount) })
  }
  return (
    <Dialog
      title={`Support ${item.creatorName}`}
      description="This is a demo: nothing is charged."
      size="small"
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={pay}>Pay ${amount}</Button>
        </>
      }
    >
      <div className="mb-4 flex items-center gap-3">
        <Avatar name={item.creatorName} />
        <div>
          <p className="font-serif font-semibold">{item.creatorName}</p>
          <p className="text-sm text-ink-soft">{item.category}</p>
        </div>
      </div>
      <RadioGroup
        legend="What would you like to give?"
        options={[
          { value: 'tip', label: `A tip of $${item.tipAmount}` },
          { value: 'message', label: `A message for $${item.messagePrice}` },
        ]}
        value={bought}
        onChange={setBought}
      />
    </Dialog>
  )
}
