import * as z from 'zod/mini'

const PostChoices = z.object({
  authorName: z.nullable(z.string()),
  type: z.enum(['standard', 'premium']),
})
/** What is chosen beside the text of a post; `authorName` is null until the person has typed one. */
export type PostChoices = z.infer<typeof PostChoices>

export const noChoices: PostChoices = { authorName: null, type: 'standard' }

const keyOf = (owner: string) => `post-draft:${owner}`

export function readChoices(owner: string): PostChoices {
  try {
    return PostChoices.parse(JSON.parse(localStorage.getItem(keyOf(owner)) ?? ''))
  } catch {
    return noChoices
  }
}

export function keepChoices(owner: string, choices: PostChoices): void {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(choices))
  } catch {
    // Then they are chosen again after a reload.
  }
}

export function forgetChoices(owner: string): void {
  try {
    localStorage.removeItem(keyOf(owner))
  } catch {
    // Nothing was kept.
  }
}
