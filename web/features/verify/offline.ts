import { notProved, proved } from '#contract/rooms/credit/sentences.ts'
import { verifyFiles } from './verify-files.ts'

// The script of the file that verifies without a network. `offline.html` has its elements.

const byId = (id: string) => document.getElementById(id)!

const elementOf = (name: string, text: string) => {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

async function check(files: FileList | undefined | null) {
  if (!files?.length) return
  byId('result').replaceChildren(elementOf('p', 'Verifying…'))
  const { isVerified, heading, lines } = await verifyFiles([...files])
  const title = elementOf('h2', heading)
  title.className = isVerified ? 'good' : 'bad'
  byId('result').replaceChildren(title, ...lines.map((line) => elementOf('p', line)))
}

for (const [id, sentences] of [
  ['proved', proved],
  ['not-proved', notProved],
] as const)
  byId(id).replaceChildren(...sentences.map((sentence) => elementOf('li', sentence)))
// The same file may be chosen again, for example after it was changed.
byId('files').addEventListener('click', ({ target }) => ((target as HTMLInputElement).value = ''))
byId('files').addEventListener('change', ({ target }) => void check((target as HTMLInputElement).files))
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  void check(event.dataTransfer?.files)
})
