/** A WebSocket to the server: opened with the caller's token, frames checked against the endpoint's description. */
import { Fault, isFault, onAbort, orAbort, sleep, withDeadline } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import { bearerSubprotocol, subprotocol } from '../schemas/frame-words.ts'
import { problemType } from '../schemas/problem-headers.ts'
import { checked, faultOf, parsed } from './answer.ts'
import { type Caller, type CallOptions, callOf, perform } from './call.ts'
import { type Given, wireRequest } from './request.ts'
import { ownWebSocket, type SocketEvent } from './web-socket.ts'

export type Upgrading = Endpoint & { readonly upgrade: NonNullable<Endpoint['upgrade']> }

export type FrameListener<Frame> = {
  frame(frame: Frame): void
  bytes(stream: number, bytes: Uint8Array): void
  /** Once, after everything else. With the fault, if it did not end well. */
  closed(fault: unknown): void
}

export interface FrameSocket {
  say(frame: object): void
  /** Resolves when there is room for more. */
  bytes(stream: number, bytes: Uint8Array): Promise<void>
  /** Once for each stream that has enough for now, and once when it has not any more: what comes waits for all of them. */
  hold(isHeld: boolean): void
  close(): void
}

/** Bytes on their way; whoever writes more waits. */
const mostBuffered = 1_048_576
const lookAgainMs = 10

export async function openSocket<Frame extends { readonly type: string }>(
  caller: Caller,
  endpoint: Upgrading,
  given: Given,
  listener: FrameListener<Frame>,
  options: CallOptions,
): Promise<FrameSocket> {
  const call = callOf(options)
  const { target } = wireRequest(endpoint, given)
  const url = `${caller.server.replace(/^http/, 'ws')}${target}`
  const deadline = withDeadline(caller.clock, options.timeoutMs ?? caller.timeoutMs, `GET ${url}`, call)
  try {
    const { token } = caller
    const bearer = typeof token === 'function' ? await token(deadline) : token
    const protocols = [subprotocol, ...(bearer === undefined ? [] : [`${bearerSubprotocol}${bearer}`])]
    const socket = (caller.webSocket ?? ownWebSocket)(url, protocols)
    socket.binaryType = 'arraybuffer'
    let over = false
    let last: unknown
    let holds = 0
    const leave = onAbort(call.signal, () => {
      last = call.signal.reason
      close()
      end()
    })
    const end = (): void => {
      if (over) return
      over = true
      leave()
      listener.closed(last)
    }
    const opened = new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Fault('server_unreachable', `${url} cannot be opened`)))
      socket.addEventListener('close', ({ code }) => {
        const cut = `Gantry at ${caller.server} ended the connection (code ${code ?? 'unknown'})`
        if (code !== 1000) last ??= new Fault('server_unreachable', cut)
        reject(last)
        end()
      })
    })
    socket.addEventListener('message', (event) => {
      if (over) return
      try {
        take(event)
      } catch (error) {
        last = error
        close()
        end()
      }
    })
    await orAbort(opened, deadline).catch(async (error: unknown) => {
      over = true
      leave()
      socket.close()
      throw isFault(error, 'unavailable') ? await reasonOf(error) : error
    })
    return { say: (frame) => socket.send(JSON.stringify(frame)), bytes, hold, close }

    /** One that takes nothing would not hear the other side's goodbye either. */
    function close(): void {
      if (holds > 0) socket.resume?.()
      socket.close(1000)
    }

    function hold(isHeld: boolean): void {
      holds += isHeld ? 1 : -1
      if (isHeld && holds === 1) socket.pause?.()
      if (!isHeld && holds === 0) socket.resume?.()
    }

    function take({ data }: SocketEvent): void {
      if (typeof data !== 'string') {
        const all = new Uint8Array(data as ArrayBuffer)
        listener.bytes(all[0] ?? 0, all.subarray(1))
        return
      }
      const answer = { server: caller.server, status: 101, type: problemType, requestId: undefined }
      const frame = checked(endpoint.upgrade.server, parsed(answer, data), answer) as Frame | ProblemFrame
      if (isProblem(frame)) last = faultOf(answer, JSON.stringify(frame.problem))
      else listener.frame(frame)
    }

    async function bytes(stream: number, content: Uint8Array): Promise<void> {
      const framed = new Uint8Array(content.length + 1)
      framed[0] = stream
      framed.set(content, 1)
      if (!over) socket.send(framed)
      // There is no event for it.
      while (!over && socket.bufferedAmount > mostBuffered) await sleep(caller.clock, lookAgainMs, call)
    }
  } finally {
    deadline.clear()
  }

  /** A browser does not tell why it was refused, so the same is asked without an upgrade. */
  async function reasonOf(error: Fault): Promise<unknown> {
    const refused = await perform(caller, endpoint, given, options).catch((fault: unknown) => fault)
    return isFault(refused) && refused.reason !== 'bad_request' ? refused : error
  }
}

type ProblemFrame = { readonly type: 'fault'; readonly problem: unknown }

function isProblem(frame: { readonly type: string }): frame is ProblemFrame {
  return frame.type === 'fault'
}
