import { useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import { codeOf, queryKeyOf } from '#web/lib/api.ts'
import { OnlyCopies } from '#web/lib/only-copies-context.ts'
import { send } from '#web/lib/request.ts'

/**
 * Returns a function that asks the server who is signed in, and shows it. A person whose session has ended keeps the page
 * while this browser has text that is stored nowhere else: the next call says that they must sign in.
 */
export function useCheckSession(personId: string): () => Promise<void> {
  const client = useQueryClient()
  const loadOnlyCopies = useContext(OnlyCopies)
  const hasUnsaved = async () => {
    const { hasUnsavedText } = await import('#web/lib/local-copies.ts')
    return hasUnsavedText([personId], loadOnlyCopies)
  }
  return async () => {
    try {
      await send(getMe)
    } catch (failure) {
      if (codeOf(failure) !== 'SignInRequired' || (await hasUnsaved().catch(() => true))) return
    }
    await client.invalidateQueries({ queryKey: queryKeyOf(getMe) })
  }
}
