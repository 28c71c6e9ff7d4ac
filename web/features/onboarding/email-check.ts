import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { checkEmail } from '#contract/account/endpoints.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { send } from '#web/lib/request.ts'
import { isUnanswered } from './draft.ts'
import { linkToken } from './link-token.ts'

const longestMs = 5000

/** What the server says against an address. */
interface RefusedEmail {
  sentence: string
  /** Whether somebody has an account with it, perhaps the person. */
  isTaken: boolean
}

/** Asks the server once for each address whether somebody can sign up by it. Without an answer the registration decides. */
export function useEmailCheck(typed: string) {
  const email = typed.trim().toLowerCase()
  const client = useQueryClient()
  const [refused, setRefused] = useState<RefusedEmail & { email: string }>()
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
    /** What the server says against the address in the field. */
    refused: refused?.email === email ? refused : undefined,
    isChecking: checked === email,
    /** Whether the person may go on. A person who changed the address in the meantime, or went back, stays. */
    check: async (): Promise<boolean> => {
      // The account may be the person's own: the registration finds out by a sign-in.
      if (isUnanswered(typed)) return true
      setChecked(email)
      const refusal = await client.fetchQuery({
        queryKey: ['whether an address is good for a sign-up', email],
        queryFn: () => Promise.race([refusalOf(email), patience()]),
        staleTime: Infinity,
        gcTime: Infinity,
      })
      setChecked(undefined)
      if (refusal !== null) setRefused({ email, ...refusal })
      return refusal === null && present.current === email
    },
  }
}

function refusalOf(email: string): Promise<RefusedEmail | null> {
  const token = linkToken()
  return send(checkEmail, {
    input: { email, ...(token !== undefined && { registrationToken: token }) },
  }).then(
    () => null,
    (error: unknown) => {
      const code = codeOf(error)
      const isShown = code === 'EmailTaken' || code === 'EmailRefused' || code === 'NetworkRefused'
      return isShown ? { sentence: sentenceOf(error, ''), isTaken: code === 'EmailTaken' } : null
    },
  )
}

const patience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), longestMs))
