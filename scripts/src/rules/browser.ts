/** What runs in a browser uses no global of Node. */

import { roomAt, roomOf } from './rooms.ts'
import { isSource, isTest, lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'
import { type Node, nodesOf } from './syntax.ts'

const globalsOfNode = new Set(['Buffer', 'process', 'global', 'require', '__dirname', '__filename', 'setImmediate'])

export const browserGlobals: Rule = {
  name: 'runs in a browser',
  check: (files) => files.filter((file) => isSource(file) && !isTest(file) && runsInBrowser(file)).flatMap(checkFile),
}

function runsInBrowser({ path }: RepoFile): boolean {
  const folder = roomOf(path)
  return folder !== undefined && roomAt(folder)?.browser === true
}

function checkFile(file: RepoFile): Offence[] {
  return nodesOf(file).flatMap(({ node, parent }) => {
    if (node.type !== 'Identifier' || !globalsOfNode.has(String(node.name)) || isOnlyAName(node, parent)) return []
    return [{ path: file.path, line: lineAt(file.text, node.start), what: `${node.name} is not there in a browser` }]
  })
}

/** A field of that name is not the global; in `{ process }` the value is a node of its own, and caught as such. */
function isOnlyAName(node: Node, parent: Node | undefined): boolean {
  return !!parent && !parent.computed && (parent.property === node || parent.key === node)
}
