/** A server that does what a script says, behind TLS as a real one: for faults that no real one can be asked for. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterConfig, ClusterUser } from '../../config/cluster-config.ts'

export type Scripted = {
  readonly server: Server
  readonly config: ClusterConfig
  readonly connections: ReadonlySet<Socket>
  /** Closes all connections, as a server does that is started anew. */
  cut(): void
  end(): Promise<void>
}

export type Certificate = { readonly cert: string; readonly key: string }

/** One that stands for itself: authority and server at once. Throws where there is no openssl. */
export function selfSigned(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-k8s-tls-'))
  try {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', '/CN=gantry-test', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' })
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function scripted(
  certificate: Certificate,
  answer: RequestListener,
  user: ClusterUser = { name: 'tester', token: { text: 'good' } },
): Promise<Scripted> {
  const connections = new Set<Socket>()
  const server = createServer(certificate, answer)
  server.on('connection', (each: Socket) => {
    connections.add(each)
    each.once('close', () => connections.delete(each))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cut = (): void => {
    for (const each of connections) each.destroy()
  }
  return {
    server,
    config: { server: `https://127.0.0.1:${port}`, ca: { text: certificate.cert }, user, origin: 'a script' },
    connections,
    cut,
    async end() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sayJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
