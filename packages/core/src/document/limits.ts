/** How much one document may ask of us, so that no text can buy more time or memory than its size is worth. */
export const documentLimits = {
  /** All documents of one text together. */
  bytes: 4 * 1024 * 1024,
  /** Pieces of syntax (keys, values, brackets, line ends …) of one text together. */
  tokens: 250_000,
  /** Objects and lists inside each other. */
  depth: 100,
  /** Values in one document, each counted as often as it is referred to. */
  values: 250_000,
  aliases: 100,
  documents: 1000,
  /** Faults are reported all at once, but not without end. */
  issues: 100,
} as const
