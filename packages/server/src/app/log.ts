/** Where the server says what it does. A library user brings their own; nothing is written anywhere else. */
export type Fields = Readonly<Record<string, unknown>>

export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
