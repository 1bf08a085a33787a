/** How a server says that something did not work, or that something is gone. */
export type Status = {
  readonly kind: 'Status'
  readonly status?: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly code?: number
  readonly details?: StatusDetails
}

export type StatusDetails = {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

export type StatusCause = { readonly reason?: string; readonly message?: string; readonly field?: string }
