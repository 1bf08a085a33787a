/** Pure: which registries are spoken to without TLS. */

/** `named`: by whoever set it up, as `host:port`. Registries of this machine have no certificate that anybody would know. */
export const speaksPlainly = (host: string, named: readonly string[]): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host) || named.includes(host)
