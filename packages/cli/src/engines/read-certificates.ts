/** The three files that Docker's own programs keep in a folder of certificates. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, Fault } from '@gantry/core'

export type Certificates = { readonly ca: string; readonly cert: string; readonly key: string }

export async function readCertificates(folder: string, { signal }: Call): Promise<Certificates> {
  const read = async (name: string): Promise<string> => {
    const file = join(folder, name)
    return await readFile(file, { encoding: 'utf8', signal }).catch((cause: NodeJS.ErrnoException) => {
      signal.throwIfAborted()
      const message = `${file} cannot be read (${cause.code}); a folder of certificates has ca.pem, cert.pem and key.pem`
      throw new Fault('bad_request', message, { cause })
    })
  }
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')])
  return { ca, cert, key }
}
