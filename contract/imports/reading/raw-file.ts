/** A file in a ZIP or a folder. */
export interface RawFile {
  path: string
  /** Its bytes, piece by piece. Each piece is good until the next one. */
  pieces: () => AsyncIterable<Uint8Array>
}

/** A part of a blob, in pieces. */
export async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += pieceBytes)
    yield new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer())
}

const pieceBytes = 256 * 1024

/** Bytes whose number is not known before. */
export class GrowingBytes {
  #bytes = new Uint8Array(1024)
  length = 0

  add(piece: Uint8Array): void {
    const length = this.length + piece.length
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length))
      larger.set(this.#bytes.subarray(0, this.length))
      this.#bytes = larger
    }
    this.#bytes.set(piece, this.length)
    this.length = length
  }

  /** The bytes, until the next change. */
  bytes = (): Uint8Array => this.#bytes.subarray(0, this.length)

  clear(): void {
    this.length = 0
  }
}
