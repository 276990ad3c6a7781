import type { SupervisorPolicy } from '#src/kernel/supervisor-spec.js'
import { markersOf, putBetween } from '#src/reference/put-between.js'
import { node } from '#supervisors/node.js'
import type { SupervisorName } from './actor-row.js'
import { actors } from './actors.js'
import { keysUnder, supervisorOf } from './tree.js'

const textColumn = 28

const lineOf = (branch: string, name: string, text: string): string =>
  `    ${`${branch}${name}`.padEnd(textColumn)}${text}`

const budgetOf = ({ strategy, restartsMax, windowMs }: SupervisorPolicy): string =>
  `${strategy}, ${restartsMax} restarts in ${windowMs / 1000} s`

/** The children of the groups that follow a list, which have no rows. */
const listed: Readonly<Record<string, { readonly name: string; readonly task: string }>> = {
  peers: { name: 'peer-watcher TOWN', task: 'probes one other town of the fleet' },
}

const childrenOf = (id: SupervisorName): ReadonlyArray<{ readonly name: string; readonly task: string }> => {
  const list = listed[id]
  return list === undefined ? keysUnder(id).map(key => actors[key]) : [list]
}

/** Draws the supervisors and actors of a node in their order, as lines of Markdown. */
export const drawTree = (): string => {
  const last = node.children.length - 1
  const groups = node.children.flatMap(({ id }, at) => {
    const children = childrenOf(id)
    const trunk = at === last ? '    ' : '│   '
    return [
      lineOf(at === last ? '└── ' : '├── ', id, budgetOf(supervisorOf(id))),
      ...children.map(({ name, task }, row) =>
        lineOf(`${trunk}${row === children.length - 1 ? '└── ' : '├── '}`, name, task),
      ),
    ]
  })
  return [lineOf('', node.id, `${budgetOf(node)}, then the process leaves with 70`), ...groups].join('\n')
}

const markers = markersOf('src/node/tree/actors.ts')

/** Puts the drawn tree between the markers of a document. Throws where the document lacks one of them. */
export const putTree = (document: string): string => putBetween(markers, document, drawTree())
