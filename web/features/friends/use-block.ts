import { type Friend, friendName } from '#contract/friends/friend.ts'
import { RequestError } from '#web/lib/request.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useBlockPerson } from './api.ts'

/** Asks whether to block a person and does it. Answers whether the person is blocked now. */
export function useBlock() {
  const confirm = useConfirm()
  const toast = useToast()
  const { run } = useBlockPerson()

  return async (person: Friend): Promise<boolean> => {
    const name = friendName(person)
    const text =
      `Block ${name}? Neither of you can find the other, write to the other or invite the other to a Z!mmer. ` +
      `Your conversation is hidden until you unblock ${name} in Settings. ${name} is not told.`
    if (!(await confirm({ text, verb: 'Block', danger: true }))) return false
    try {
      await run({ input: { userId: person.id } })
    } catch (error) {
      console.error('Failed to block a person', error)
      const isFull = error instanceof RequestError && error.code === 'TooManyBlocks'
      const title = isFull ? error.error! : `${name} could not be blocked. Please try again.`
      toast({ title, tone: 'destructive' })
      return false
    }
    toast({ title: `${name} is blocked.` })
    return true
  }
}
