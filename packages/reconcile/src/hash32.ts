/**
 * A text as an evenly spread unsigned 32-bit number, the same on every machine and in every version: processes must agree
 * on the shard of an object. For spreading only: whoever chooses names can choose collisions.
 */
export function hash32(text: string): number {
  // FNV-1a over the text, then a finalizer, without which names that differ in their last digit stay close together.
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
