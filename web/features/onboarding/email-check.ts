import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { checkEmail } from '#contract/account/endpoints.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { send } from '#web/lib/request.ts'
import { isUnanswered } from './draft.ts'
import { linkToken } from './link-token.ts'

const longestMs = 5000

/** Asks the server once for each address whether it is taken. Without an answer the registration decides. */
export function useEmailCheck(typed: string) {
  const email = typed.trim().toLowerCase()
  const client = useQueryClient()
  const [taken, setTaken] = useState<{ email: string; sentence: string }>()
  const [checked, setChecked] = useState<string>()
  // The address in the field, or undefined when the page is no longer shown.
  const present = useRef<string>(undefined)
  useEffect(() => {
    present.current = email
    return () => {
      present.current = undefined
    }
  }, [email])

  return {
    /** The sentence of the server about the address in the field. */
    taken: taken?.email === email ? taken.sentence : undefined,
    isChecking: checked === email,
    /** Whether the person may go on. A person who changed the address in the meantime, or went back, stays. */
    check: async (): Promise<boolean> => {
      // The account may be the person's own: the registration finds out by a sign-in.
      if (isUnanswered(typed)) return true
      setChecked(email)
      const sentence = await client.fetchQuery({
        queryKey: ['whether an address is taken', email],
        queryFn: () => Promise.race([refusalOf(email), patience()]),
        staleTime: Infinity,
        gcTime: Infinity,
      })
      setChecked(undefined)
      if (sentence !== null) setTaken({ email, sentence })
      return sentence === null && present.current === email
    },
  }
}

function refusalOf(email: string): Promise<string | null> {
  const token = linkToken()
  return send(checkEmail, {
    input: { email, ...(token !== undefined && { registrationToken: token }) },
  }).then(
    () => null,
    (error: unknown) => (codeOf(error) === 'EmailTaken' ? sentenceOf(error, '') : null),
  )
}

const patience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), longestMs))
