import { afterAll } from 'vitest'
import { storeUploadsInFolder, storeUploadsInS3 } from '#server/testing/upload-places.ts'

storeUploadsInS3()
afterAll(storeUploadsInFolder)
// With the query it is another module than the file itself, which the same worker may have run.
const tests = './covers.test.ts?in-s3'
await import(tests)
