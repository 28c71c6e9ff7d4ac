import { type Friend, friendName } from '#contract/friends/friend.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useBlockPerson } from './api.ts'

/** Asks whether to block a person and does it. Answers whether the person is blocked now. */
export function useBlock() {
  const confirm = useConfirm()
  const toast = useToast()
  const { attempt } = useBlockPerson()

  return async (person: Friend): Promise<boolean> => {
    const name = friendName(person)
    const text =
      `Block ${name}? Neither of you can find the other, write to the other or invite the other to a Z!mmer. ` +
      `Your conversation is hidden until you unblock ${name} in Settings. ${name} is not told.`
    if (!(await confirm({ text, verb: 'Block', danger: true }))) return false
    const blocked = await attempt({ input: { userId: person.id } }, (error) => {
      const failed = `${name} could not be blocked. Please try again.`
      const title = codeOf(error) === 'TooManyBlocks' ? sentenceOf(error, failed) : failed
      toast({ title, tone: 'destructive' })
    })
    if (!blocked) return false
    toast({ title: `${name} is blocked.` })
    return true
  }
}
