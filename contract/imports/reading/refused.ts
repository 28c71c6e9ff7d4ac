/** The whole file is refused. The message is a sentence for people. */
export class ImportRefused extends Error {
  override name = 'ImportRefused'
}

/** One text cannot be read, and the others can. The message is a sentence for people. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood'
}

export const unknownProgram = 'No program that Z!mmer knows wrote this file.'

const MiB = 1024 * 1024

// The bounds of an import. They are compared with the bytes that are counted while a file is read: a ZIP may lie about its sizes.
/** A JSON or XML file that holds many texts. */
const listFileMaxMiB = 64
/** Every other file that is read. A story has at most 16 MiB. */
const textFileMaxMiB = 20
/** One text. The longest that can be stored has 500,000 characters. */
export const textMaxMiB = 2
/** All files of one import together. */
const readMaxMiB = 256
/** What the texts of one import take in memory. */
export const textsMaxMiB = 64
/** Files of an archive, and likewise entries and problems of an import. */
export const itemsMax = 100_000
/** Tags of one text. The others are not counted. */
export const tagsReadMax = 1000
/** In UTF-16 units. Problems and entries repeat the path of their file. */
export const pathMaxLength = 1024

export const listFileMaxBytes = listFileMaxMiB * MiB
export const textFileMaxBytes = textFileMaxMiB * MiB
export const textMaxBytes = textMaxMiB * MiB
export const readMaxBytes = readMaxMiB * MiB
export const textsMaxBytes = textsMaxMiB * MiB
