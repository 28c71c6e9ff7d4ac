import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Makes `fullchain.pem` and `privkey.pem` for a name such as `DNS:localhost`, and returns the certificate. */
export async function makeCertificate(folder: string, name: string): Promise<string> {
  const file = join(folder, 'fullchain.pem')
  const key = join(folder, 'privkey.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${name}`]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', file])
  return readFile(file, 'utf8')
}
