/** A keystroke of one of several writers: one character inserted or deleted. The writer had seen the keystrokes `parents`. */
export interface SharedKeystroke {
  parents: number[]
  agent: number
  patches: [position: number, deleted: number, inserted: string][]
}

/** One character inserted at a position, or deleted there when `inserted` is empty. */
export interface Keystroke {
  position: number
  inserted: string
}

export interface Merged {
  text: string
  /** The keystrokes of each writer. Positions count the own characters of that writer only. */
  alone: Keystroke[][]
}

interface Character {
  text: string
  agent: number
  /** Its number among the keystrokes of its writer. */
  turn: number
  left: Character | null
  right: Character | null
  /** For each writer the number of the keystroke that deleted the character; `never` without one. */
  removedAt: number[]
}

const never = Infinity

/** How many keystrokes of each writer were known. */
type Version = number[]

/** Merges the keystrokes of several writers in one text. At the same position the writer with the lower number comes first. */
export function merge(keystrokes: SharedKeystroke[], writers: number): Merged {
  const characters: Character[] = []
  const versions: Version[] = []
  const alone: Keystroke[][] = Array.from({ length: writers }, () => [])
  for (const { parents, agent, patches } of keystrokes) {
    const known = Array.from({ length: writers }, (_, writer) =>
      Math.max(0, ...parents.map((parent) => versions[parent]![writer]!)),
    )
    const turn = known[agent]!
    for (const [position, deleted, inserted] of patches) {
      if (deleted > 0) {
        const at = indexSeenAt(characters, known, position)
        const character = characters[at]!
        if (isOf(agent, character)) alone[agent]!.push({ position: countOf(agent, characters, at), inserted })
        character.removedAt[agent] = turn
      } else {
        const removedAt = known.map(() => never)
        const at = insert(characters, known, position, { text: inserted, agent, turn, removedAt })
        alone[agent]!.push({ position: countOf(agent, characters, at), inserted })
      }
    }
    versions.push(known.with(agent, turn + 1))
  }
  const left = characters.filter(({ removedAt }) => removedAt.every((turn) => turn === never))
  return { text: left.map(({ text }) => text).join(''), alone }
}

/** Whether this writer typed the character and has not deleted it. */
const isOf = (agent: number, character: Character) =>
  character.agent === agent && character.removedAt[agent] === never

function countOf(agent: number, characters: Character[], end: number): number {
  let count = 0
  for (let i = 0; i < end; i++) if (isOf(agent, characters[i]!)) count++
  return count
}

const isKnown = ({ agent, turn }: Character, version: Version) => turn < version[agent]!

function isRemoved({ removedAt }: Character, version: Version): boolean {
  for (let agent = 0; agent < version.length; agent++) if (removedAt[agent]! < version[agent]!) return true
  return false
}

/** The index of the character that a writer saw at a position. */
function indexSeenAt(characters: Character[], version: Version, position: number): number {
  let before = 0
  for (let i = 0; ; i++) {
    const character = characters[i]!
    if (isKnown(character, version) && !isRemoved(character, version) && before++ === position) return i
  }
}

/** Inserts a character between the two that its writer saw there, beside characters that others inserted at the same time. */
function insert(
  characters: Character[],
  version: Version,
  position: number,
  typed: Omit<Character, 'left' | 'right'>,
): number {
  const leftAt = position === 0 ? -1 : indexSeenAt(characters, version, position - 1)
  let rightAt = leftAt + 1
  while (rightAt < characters.length && !isKnown(characters[rightAt]!, version)) rightAt++
  let at = leftAt + 1
  let isUndecided = false
  for (let i = at; i < rightAt; i++) {
    const other = characters[i]!
    const otherLeftAt = other.left === null ? -1 : characters.indexOf(other.left)
    const otherRightAt = other.right === null ? characters.length : characters.indexOf(other.right)
    const hasSameLeft = otherLeftAt === leftAt
    if (otherLeftAt < leftAt) break
    if (hasSameLeft && otherRightAt === rightAt && typed.agent <= other.agent) break
    if (hasSameLeft) isUndecided = otherRightAt < rightAt
    if (!isUndecided) at = i + 1
  }
  const [left, right] = [characters[leftAt] ?? null, characters[rightAt] ?? null]
  characters.splice(at, 0, { ...typed, left, right })
  return at
}
