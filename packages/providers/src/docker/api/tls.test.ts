import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { systemClock } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDocker, dockerApi } from './connect.ts'
import { parseEndpoint, readTls, type TlsFiles } from './endpoint.ts'
import { httpWire } from './http-wire.ts'

const signal = AbortSignal.timeout(900_000)

describe('an engine behind TLS', () => {
  let folder: string
  let tls: TlsFiles
  let server: Server | undefined
  let address: string
  let missing: string | undefined
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-tls-'))
    try {
      makeCertificate(folder)
    } catch (error) {
      missing = `openssl made no certificate: ${String(error)}`
      return
    }
    tls = await readTls(folder, { signal })
    server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (_, response) => {
      response.end(
        JSON.stringify({ Version: 'x', ApiVersion: '1.44', MinAPIVersion: '1.24', Os: 'linux', Arch: 'any' }),
      )
    })
    server.on('upgrade', (_request, upgraded: Duplex) => {
      const head = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
      upgraded.end(`${head}through`)
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    address = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
    rmSync(folder, { recursive: true })
  })

  it('is spoken to with a certificate on both sides', async ({ skip }) => {
    if (missing) return skip(missing)
    const docker = await connectDocker(parseEndpoint(address, tls), { signal })
    expect(docker.apiVersion).toBe('1.44')
    expect(docker.capabilities.healthStartInterval).toBe(true)
    docker.close()
  })

  it('runs commands over it too', async ({ skip }) => {
    if (missing) return skip(missing)
    const wire = httpWire(parseEndpoint(address, tls), { clock: systemClock, answerMs: 30_000, prefix: '' })
    const session = await dockerApi(wire, '1.44', systemClock).execs.start('x', { tty: true }, { signal })
    let text = ''
    for await (const { data } of session.output) text += data.toString()
    expect(text).toBe('through')
  })

  it('lets nobody in without one, and is not believed without one', async ({ skip }) => {
    if (missing) return skip(missing)
    const plain = connectDocker(parseEndpoint(address), { signal })
    await expect(plain).rejects.toMatchObject({ reason: 'engine_unreachable' })
    const other = mkdtempSync(join(tmpdir(), 'gantry-tls-'))
    try {
      makeCertificate(other)
      const stranger = connectDocker(parseEndpoint(address, await readTls(other, { signal })), { signal })
      await expect(stranger).rejects.toMatchObject({ reason: 'engine_unreachable' })
    } finally {
      rmSync(other, { recursive: true })
    }
  })
})

/** One that stands for itself: authority, server and client at once. */
function makeCertificate(folder: string): void {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=gantry-test', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  copyFileSync(cert, join(folder, 'ca.pem'))
}
