/** `npm run record`: writes the session of the README anew, as a recording and as text. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { play } from './play.ts'
import { castOf, transcriptOf } from './recording.ts'

const docs = (name: string): string => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url))
const played = await play()
writeFileSync(docs('first-minute.cast'), castOf(played))
writeFileSync(docs('first-minute.txt'), transcriptOf(played))
console.log(transcriptOf(played))
