/** A way to a Docker Engine that can be cut, or made to hang: what runs there goes on, and only the server is cut off. */
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'

export type DockerRelay = {
  /** As a Provider says it. */
  readonly endpoint: string
  /** The folder with ca.pem, cert.pem and key.pem, which whoever comes by TLS must have. */
  readonly certificates: string
  /** Whoever comes is sent away, and whoever is there too. */
  cut(): void
  /** Accepts, and never answers. */
  hang(): void
  heal(): void
  /** A certificate that is good, and not the one that is asked for. */
  otherCertificates(): Promise<string>
  close(): Promise<void>
}

export async function relayDocker(socket: string, way: 'unix' | 'tls'): Promise<DockerRelay> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-relay-'))
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'hanging' = 'open'
  const drop = (): void => {
    for (const one of sockets) one.destroy()
  }
  const keep = (one: Socket): void => {
    sockets.add(one)
    one.once('close', () => sockets.delete(one))
    // Either side may leave at any time: the other is told by its end.
    one.on('error', () => undefined)
  }
  const take = (caller: Socket): void => {
    keep(caller)
    if (state === 'cut') return void caller.destroy()
    if (state === 'hanging') return void caller.resume()
    const engine = connect({ path: socket, allowHalfOpen: true })
    keep(engine)
    caller.pipe(engine).pipe(caller)
    caller.once('close', () => engine.destroy())
    engine.once('close', () => caller.destroy())
  }
  const path = join(folder, 'docker.sock')
  if (way === 'tls') await makeCertificate(folder)
  const server = way === 'unix' ? createServer({ allowHalfOpen: true }, take) : await behindTls(folder, take)
  // Also those that never get through the door.
  server.on('connection', keep)
  await new Promise<void>((resolve) => (way === 'unix' ? server.listen(path, resolve) : server.listen(0, resolve)))
  return {
    endpoint: way === 'unix' ? `unix://${path}` : `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificates: folder,
    cut() {
      state = 'cut'
      drop()
    },
    hang() {
      state = 'hanging'
      drop()
    },
    heal() {
      state = 'open'
      drop()
    },
    async otherCertificates() {
      const other = await mkdtemp(join(folder, 'other-'))
      await makeCertificate(other)
      return other
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      drop()
      await closed
      await rm(folder, { recursive: true })
    },
  }
}

async function behindTls(folder: string, take: (caller: Socket) => void): Promise<Server> {
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  const options = { requestCert: true, rejectUnauthorized: true, allowHalfOpen: true }
  const server = createTlsServer({ ...options, ca: ca ?? '', cert: cert ?? '', key: key ?? '' }, take)
  // Whoever has no certificate is sent away; that is all.
  server.on('tlsClientError', () => undefined)
  return server
}

/** One that stands for itself: authority, server and client at once. */
async function makeCertificate(folder: string): Promise<void> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=gantry-test', '-addext', 'subjectAltName=IP:127.0.0.1']
  await promisify(execFile)('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert])
  await copyFile(cert, join(folder, 'ca.pem'))
}
