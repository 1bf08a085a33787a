/** What a tag means now, in the words of the registry that has it (the distribution API of OCI). */
import { createHash } from 'node:crypto'
import type { Call } from '@gantry/core'
import type { PullCredentials } from '../../desired.ts'
import type { Reference } from '../../images/reference.ts'
import { type Answer, askOnce, type Question } from './ask-once.ts'
import { type Challenge, challengesOf } from './challenge.ts'
import { isDigest, manifestTypes, manifestUrl, onwardUrl, tokenIn, tokenUrl } from './questions.ts'

export type RegistryWays = {
  /** Registries that are spoken to without TLS, as `host:port`; those of this machine always are. */
  readonly plain: readonly string[]
  /** Whom registries are vouched for by; left out: those whom the runtime trusts. */
  readonly ca?: string
}

/** Undefined where it does not say. Throws `engine_unreachable` where nobody answers. */
export async function tagDigest(
  reference: Reference,
  credentials: PullCredentials | undefined,
  ways: RegistryWays,
  call: Call,
): Promise<string | undefined> {
  const url = manifestUrl(reference, ways.plain)
  return url && (await new Talk(url, reference, credentials, ways).digest(call))
}

/** Registries with many places send on to the nearest, and each may want to know who asks. */
const mostTurns = 6

/** What those say that know no question whose answer has no body. */
const knowsNoHead: ReadonlySet<number> = new Set([400, 405, 501])

const sendsOn: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

class Talk {
  readonly #first: URL
  readonly #reference: Reference
  readonly #credentials: PullCredentials | undefined
  readonly #ways: RegistryWays
  /** By origin: what is said there of who asks. */
  readonly #introduced = new Map<string, string>()

  constructor(first: URL, reference: Reference, credentials: PullCredentials | undefined, ways: RegistryWays) {
    this.#first = first
    this.#reference = reference
    this.#credentials = credentials
    this.#ways = ways
  }

  async digest(call: Call): Promise<string | undefined> {
    const head = await this.#manifest('HEAD', call)
    const said = head?.headers['docker-content-digest']
    if (head?.status === 200 && isDigest(said)) return said
    if (!head || (head.status !== 200 && !knowsNoHead.has(head.status))) return undefined
    const whole = await this.#manifest('GET', call)
    const type = whole?.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    return whole?.status === 200 && manifestTypes.includes(type) ? digestOf(whole.body) : undefined
  }

  /** Undefined where it is sent on and on. */
  async #manifest(method: Question['method'], call: Call): Promise<Answer | undefined> {
    let url = this.#first
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const introduction = this.#introduced.get(url.origin)
      const answer = await this.#ask(url, method, manifestTypes.join(', '), introduction, call)
      const next = await this.#next(url, answer, call)
      if (!next) return answer
      url = next
    }
    return undefined
  }

  async #next(url: URL, answer: Answer, call: Call): Promise<URL | undefined> {
    if (answer.status === 401) return (await this.#introduce(url, answer, call)) ? url : undefined
    return sendsOn.has(answer.status) ? onwardUrl(answer.headers.location, url, this.#ways.plain) : undefined
  }

  /** Whether there is something new to say. The account is for the registry that it was given for, and for nobody else. */
  async #introduce(url: URL, { headers }: Answer, call: Call): Promise<boolean> {
    if (this.#introduced.has(url.origin)) return false
    const account = url.origin === this.#first.origin ? accountOf(this.#credentials) : undefined
    for (const challenge of challengesOf(headers['www-authenticate'] ?? '')) {
      const word = challenge.scheme === 'basic' ? account : await this.#token(url, challenge, account, call)
      if (word === undefined) continue
      this.#introduced.set(url.origin, word)
      return true
    }
    return false
  }

  async #token(
    asker: URL,
    challenge: Extract<Challenge, { scheme: 'bearer' }>,
    account: string | undefined,
    call: Call,
  ): Promise<string | undefined> {
    const url = tokenUrl(challenge, asker, this.#reference, this.#ways.plain)
    if (!url) return undefined
    const { status, body } = await this.#ask(url, 'GET', 'application/json', account, call)
    const token = status === 200 ? tokenIn(body) : undefined
    return token === undefined ? undefined : `Bearer ${token}`
  }

  #ask(
    url: URL,
    method: Question['method'],
    accept: string,
    authorization: string | undefined,
    call: Call,
  ): Promise<Answer> {
    const { ca } = this.#ways
    const headers = { 'user-agent': 'gantry', accept, ...(authorization !== undefined && { authorization }) }
    return askOnce(url, { method, headers, ...(ca !== undefined && { ca }) }, call)
  }
}

const digestOf = (body: Buffer): string => `sha256:${createHash('sha256').update(body).digest('hex')}`

function accountOf(credentials: PullCredentials | undefined): string | undefined {
  if (!credentials) return undefined
  const pair = `${credentials.username.reveal()}:${credentials.password.reveal()}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
