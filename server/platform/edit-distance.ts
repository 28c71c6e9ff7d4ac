/** The number of letters to add, remove or replace to make one word of the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...one].entries()) {
    const above = row
    row = [i + 1]
    for (let j = 0; j < other.length; j++)
      row.push(Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + (letter === other[j] ? 0 : 1)))
  }
  return row[other.length]!
}
