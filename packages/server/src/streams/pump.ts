/** From one who reads to one who writes, no faster than the slower of them. */
export async function pump(from: AsyncIterable<Uint8Array>, to: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  for await (const bytes of from) await to(bytes)
}
