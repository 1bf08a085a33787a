/** Whether the content of a config file is what its format says. */
import { parseDocuments } from '../../document/parse-documents.ts'
import { isFault } from '../../fault.ts'
import type { ConfigFormat } from './config-files.ts'
import { referenceIn } from './content-reference.ts'
import { envNamePattern } from './environment.ts'

/** What is wrong with it, or `undefined`. Never repeats the content: it may be secret. */
export function readConfig(format: ConfigFormat, content: string): string | undefined {
  // What it stands for was looked at when it was written.
  if (referenceIn(content) !== undefined) return undefined
  switch (format) {
    case 'text':
      return undefined
    case 'json':
      return jsonFault(content)
    case 'yaml':
      return yamlFault(content)
    case 'env':
      return envFault(content)
    default:
      return format satisfies never
  }
}

function jsonFault(content: string): string | undefined {
  try {
    JSON.parse(content)
    return undefined
  } catch {
    return 'is not JSON, as its format says'
  }
}

function yamlFault(content: string): string | undefined {
  try {
    parseDocuments(content)
    return undefined
  } catch (error) {
    const line = isFault(error, 'invalid') ? error.issues[0]?.line : undefined
    return `is not YAML, as its format says${line === undefined ? '' : `: see line ${line} of the content`}`
  }
}

function envFault(content: string): string | undefined {
  const lines = content.split(/\r?\n/)
  const wrong = lines.findIndex((line) => {
    const text = line.trim()
    return text !== '' && !text.startsWith('#') && !isAssignment(text.replace(/^export\s+/, ''))
  })
  return wrong < 0
    ? undefined
    : `is not made of KEY=value lines, as its format says: see line ${wrong + 1} of the content`
}

function isAssignment(text: string): boolean {
  const equals = text.indexOf('=')
  return equals > 0 && envNamePattern.test(text.slice(0, equals))
}
