import { settings } from './config.ts'
import { editDistance } from './platform/edit-distance.ts'

/**
 * A sentence for each variable that looks like a misspelt setting. No setting has a digit, except in the name S3. Variables with
 * another one belong to Docker, Kubernetes and others.
 */
export function misspeltSettings(environment: Record<string, string | undefined>): string[] {
  const variables = Object.values(settings).map(({ variable }) => variable)
  return Object.entries(environment).flatMap(([name, value = '']) => {
    // Kubernetes names the address of a service called zimmer so.
    if (variables.includes(name) || /\d/.test(name.replace('_S3_', '')) || value.startsWith('tcp://'))
      return []
    const typed = name.toUpperCase().replace(/^ZIMMER_/, '')
    const meant = variables.find((variable) => isNear(typed, variable))
    return meant === undefined ? [] : [`${name} is no setting and is ignored. Did you mean ${meant}?`]
  })
}

/**
 * Whether a name is that of a setting, or differs from it in one letter, from a long one in two. The first letter must be
 * the same. A name of four letters may be any word: POST and SORT differ from PORT in one letter.
 */
const isNear = (typed: string, variable: string) =>
  typed === variable ||
  (typed.length > 4 &&
    typed[0] === variable[0] &&
    editDistance(typed, variable) <= (variable.length < 8 ? 1 : 2))
