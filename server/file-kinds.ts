import { coverFiles } from './features/covers/index.ts'
import { issueFiles } from './features/magazine/index.ts'

/** Every kind of file that rows name. */
export const allFileKinds = [issueFiles, coverFiles]
