/** Whether a client gives everything that the server said: compared with the bytes of an answer that nobody has touched. */
import { deepStrictEqual } from 'node:assert/strict'
import { request } from 'node:https'
import type { KubernetesAddress } from '@gantry/engines'

/** Throws where a field is missing, or another. Lists say the kind once for all, and so are told it here. */
export async function checkNothingLost(
  address: KubernetesAddress,
  path: string,
  found: unknown,
  each: object = {},
): Promise<void> {
  const said = JSON.parse(await bodyAt(address, path)) as { readonly items?: readonly object[] }
  deepStrictEqual(found, said.items ? said.items.map((item) => ({ ...item, ...each })) : said)
}

function bodyAt({ server, ca, token }: KubernetesAddress, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server}${path}`, { ca, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    asked.once('error', reject)
    asked.end()
  })
}
