/** What a client gets when no backend answers: which workload, and why, for people and for programs. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Page = {
  readonly status: number
  /** What happened, as one sentence. */
  readonly what: string
  readonly why: string
  readonly workload?: { readonly tenant: string; readonly name: string }
}

export const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  404: 'Nothing is served here',
  405: 'Method not allowed',
  408: 'Request timeout',
  417: 'Expectation failed',
  431: 'Request header fields too large',
  501: 'Not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
}

export type Rendered = { readonly type: string; readonly body: string }

export function render(page: Page, accept: string): Rendered {
  return wantsHtml(accept)
    ? { type: 'text/html; charset=utf-8', body: html(page) }
    : { type: 'application/json; charset=utf-8', body: `${JSON.stringify(json(page))}\n` }
}

/** `last`: nothing more can be understood over this connection. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page, last = false): void {
  const { type, body } = render(page, request.headers.accept ?? '')
  const bytes = Buffer.from(body)
  const headers = ['content-type', type, 'content-length', String(bytes.length), 'cache-control', 'no-store']
  if (page.status === 503) headers.push('retry-after', '1')
  if (last) headers.push('connection', 'close')
  response.writeHead(page.status, titles[page.status] ?? '', headers)
  response.end(bytes)
}

/** The whole answer as text, for where there is only a socket. */
export function rawPage(page: Page): string {
  const { type, body } = render(page, '')
  const title = titles[page.status] ?? ''
  const head = [
    `HTTP/1.1 ${page.status} ${title}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`
}

/** Browsers name HTML; curl and programs take anything, and get what they can read. */
function wantsHtml(accept: string): boolean {
  const html = accept.indexOf('text/html')
  const json = accept.search(/application\/(problem\+)?json/)
  return html !== -1 && (json === -1 || html < json)
}

function json({ status, what, why, workload }: Page): object {
  return { status, title: titles[status], detail: what, why, ...(workload && { workload }) }
}

function html({ status, what, why, workload }: Page): string {
  const title = `${status} ${titles[status] ?? ''}`
  const where = workload
    ? `<p>Workload <b>${escaped(workload.name)}</b> of tenant <b>${escaped(workload.tenant)}</b></p>`
    : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:15vh auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.4em}p{margin:.5em 0}.why{color:#666}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.why{color:#999}}
</style></head><body><h1>${title}</h1><p>${escaped(what)}</p>${where}<p class="why">${escaped(why)}</p></body></html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
