/** Certificate and key, read once at the start. */
export type TlsFiles = { readonly cert: Buffer; readonly key: Buffer }
