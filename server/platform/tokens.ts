import { hash } from 'node:crypto'
import type { Random } from './ids.ts'

/** The secret of a session, of a link or of a program: 256 random bits (S20, S57). */
export const newToken = (random: Random): string => random.bytes(32).toString('base64url')

/** By this beginning people and scanners of secrets recognise an API token. */
export const apiTokenPrefix = 'zmr_'

/** What is stored in place of a token, and of another secret that is compared alone. */
export const digestOf = (token: string): string => hash('sha256', token, 'hex')
