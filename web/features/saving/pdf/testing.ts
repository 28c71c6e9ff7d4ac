/** The parts of Node that the tests use. The types of the page do not include Node. */
interface NodeModules {
  'node:fs': {
    readFileSync: (path: string) => Uint8Array
    writeFileSync: (path: string, data: Uint8Array) => void
    existsSync: (path: string) => boolean
    mkdtempSync: (prefix: string) => string
    rmSync: (path: string, options: { recursive: true }) => void
  }
  'node:os': { tmpdir: () => string }
  'node:child_process': {
    spawnSync: (
      command: string,
      args: string[],
      options: { encoding: 'utf8'; maxBuffer: number },
    ) => { stdout: string | null; status: number | null }
  }
}
declare const process: {
  cwd: () => string
  getBuiltinModule: <Name extends keyof NodeModules>(name: Name) => NodeModules[Name]
}

const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs')
const { tmpdir } = process.getBuiltinModule('node:os')
const { spawnSync } = process.getBuiltinModule('node:child_process')

/** Reads a font file by the path that Vite gives it. */
export const loadFont = async (file: string): Promise<Uint8Array> => readFileSync(process.cwd() + file)

/** Whether `pdftotext` of poppler-utils is installed. It reads the text that a person would find and copy. */
export const hasPdftotext = spawnSync('pdftotext', ['-v'], { encoding: 'utf8', maxBuffer: 1e6 }).status === 0
if (!hasPdftotext) console.log('Skipped: pdftotext is not on this machine (poppler-utils brings it).')

export async function textOf(file: Blob, ...options: string[]): Promise<string> {
  const folder = mkdtempSync(`${tmpdir()}/zimmer-pdf-`)
  try {
    writeFileSync(`${folder}/my-diary.pdf`, new Uint8Array(await file.arrayBuffer()))
    const args = ['-enc', 'UTF-8', ...options, `${folder}/my-diary.pdf`, '-']
    return spawnSync('pdftotext', args, { encoding: 'utf8', maxBuffer: 1e9 }).stdout ?? ''
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A diary of ten years, one JSON object a line; undefined when this machine does not have it. */
export function realDiary(): { date: string; content: string }[] | undefined {
  const place = `${process.cwd()}/../shared/data/pepys.jsonl`
  if (!existsSync(place)) return undefined
  return new TextDecoder()
    .decode(readFileSync(place))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { date: string; content: string })
}
