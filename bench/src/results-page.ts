/** Pure: RESULTS.md, in which every benchmark has a section that says when and where it was taken. */

const opening = `# Results

Written by \`npm run bench\`, or a section of it by \`npm run bench -- NAME --record\`. Each section says when and where it was measured;
what has none was not measured yet.
`

/** By name, as they stand in a page. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const [, ...parts] = page.split(/^## /m)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')).trim(), `## ${part.trimEnd()}\n`]))
}

/** In the order of `names`; a benchmark that is no more has no section, and what was not measured now keeps the one it has. */
export function pageWith(before: string, measured: ReadonlyMap<string, string>, names: readonly string[]): string {
  const known = new Map([...sectionsOf(before), ...measured])
  const sections = names.flatMap((name) => known.get(name) ?? [])
  return [opening, ...sections].join('\n')
}
