import { premiumPostsPerDay } from '#contract/feed/post.ts'
import { Button } from '#web/ui/Button.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { useToast } from '#web/ui/toasts.tsx'

export function Premium() {
  const toast = useToast()
  return (
    <TitledCard title="Premium publishing $5/month" className="flex flex-col items-start gap-3 p-6">
      <ul className="list-disc ps-5 text-sm">
        <li>Your posts appear at once, without review.</li>
        <li>Up to {premiumPostsPerDay} a day.</li>
      </ul>
      <Button
        onClick={() =>
          toast({
            title: 'Not available yet',
            description: 'Payment is not available yet. Nothing was charged.',
          })
        }
      >
        Go premium
      </Button>
    </TitledCard>
  )
}
