import { open } from 'node:fs/promises'
import type { UploadedFile } from '#server/platform/http/request/uploads.ts'

const startMark = '%PDF-'
const endMark = '%%EOF'
const endBytes = 1024

/** Whether an uploaded file is named and begins and ends like a PDF. */
export async function isPdf({ name, path, bytes }: UploadedFile): Promise<boolean> {
  if (!/\.pdf$/i.test(name)) return false
  const file = await open(path)
  try {
    const read = async (length: number, position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.toString('latin1', 0, bytesRead)
    }
    const end = await read(endBytes, Math.max(0, bytes - endBytes))
    return (await read(startMark.length, 0)) === startMark && end.includes(endMark)
  } finally {
    await file.close()
  }
}
