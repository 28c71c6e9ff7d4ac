import { parentPort } from 'node:worker_threads'
import { dictionary } from '@zxcvbn-ts/language-common'

// The 49,000 most frequent leaked passwords.
parentPort!.postMessage(dictionary['passwords-common'].join('\n'))
