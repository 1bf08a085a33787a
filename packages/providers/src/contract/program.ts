/**
 * What the contract's services and commands do, in a vocabulary small enough for every engine: each harness says it in
 * its own words (a node script on this machine, a shell script in a busybox image, nothing but memory when simulated).
 */
import type { LogStream } from '../log-line.ts'

/** A service of a test. With nothing set it runs, says nothing, and ends when asked to. */
export type TestProgram = {
  /** Written at every start, in this order. */
  readonly prints?: readonly { readonly stream: LogStream; readonly line: string }[]
  /** Writes every argument it was given as a line `arg <value>`, before anything else. */
  readonly printsArgs?: boolean
  /** Writes `<line> 1`, `<line> 2` … to stdout, for ever. */
  readonly counts?: { readonly line: string; readonly everyMs: number }
  /** Ends by itself. */
  readonly exits?: { readonly code: number; readonly afterMs: number }
  /** Listens on the port of this name (told by PORT_<NAME>) and answers any GET: 200 while it is well, else 503. */
  readonly listens?: string
  /** Well only after so long; left out: at once. */
  readonly healthyAfterMs?: number
  /** Well no longer after so long; left out: for ever. */
  readonly healthyUntilMs?: number
  /** Does not end when asked to, only when made to. */
  readonly ignoresTerm?: boolean
  /** Keeps one core busy. */
  readonly burnsCpu?: boolean
}

/** A command that is run inside such a service. */
export type TestCommand =
  /** Prints the value and exits 0; exits 1 where the variable is not set. */
  | { readonly do: 'env'; readonly name: string }
  /** Prints the file and exits 0; exits 1 where it is not there. */
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** Prints the permissions as octal digits: `444`. */
  | { readonly do: 'mode'; readonly path: string }
  /** Prints the folder it runs in. */
  | { readonly do: 'where' }
  /** Prints `uid:gid`. */
  | { readonly do: 'who' }
  /** Prints one text to each stream and exits. */
  | { readonly do: 'say'; readonly stdout: string; readonly stderr: string; readonly exit: number }
  /** Copies stdin to stdout, and exits 0 at its end. */
  | { readonly do: 'echo' }
  /** Prints `rows columns` of its terminal, once at the start and again for each line it reads. */
  | { readonly do: 'size' }
  /** Prints `hanging` and does nothing until it is killed. */
  | { readonly do: 'hang' }
  /** Asks a sibling on its named port with GET; exits 0 when that answers 200. */
  | { readonly do: 'reach'; readonly service: string; readonly port: string; readonly number: number }
  /** Exits 0 while the program of the service is well, else 1. */
  | { readonly do: 'healthy' }
