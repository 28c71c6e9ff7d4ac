import { failedDialog, part } from '#web/ui/part.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useChangeSigning } from './api.ts'

export const SigningDialog = part(
  async () => (await import('../SigningDialog.tsx')).SigningDialog,
  failedDialog,
)

/** Changes whether a member signs with the name in a room. Answers whether the server has stored it. */
export function useSigning(roomId: string): (signsWithName: boolean) => Promise<boolean> {
  const { attempt } = useChangeSigning(roomId)
  const toast = useToast()
  return async (signsWithName) => {
    const changed = await attempt({ params: { id: roomId }, input: { signsWithName } }, () =>
      toast({ title: 'Your signature could not be changed. Please try again.', tone: 'destructive' }),
    )
    return changed !== undefined
  }
}
