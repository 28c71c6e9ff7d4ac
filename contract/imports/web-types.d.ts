// What the readers need of the platform: a browser and Node have it alike. The contract compiles without the types of both.

interface Blob {
  readonly size: number
  slice(start?: number, end?: number): Blob
  arrayBuffer(): Promise<ArrayBuffer>
}

declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
