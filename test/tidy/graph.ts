import { areaOf, areas, layerOf, layers } from './layers.js'
import { importsOf, isTest, type Source } from './sources.js'

/** Rooms by index, and `from -> to` where a file of one imports from the other. */
export interface RoomGraph {
  readonly rooms: ReadonlyArray<string>
  readonly arrows: ReadonlySet<string>
}

const arrowOf = (from: number, to: number): string => `${from} -> ${to}`

const buildGraph = (
  files: ReadonlyArray<Source>,
  rooms: ReadonlyArray<string>,
  roomOf: (path: string) => number,
): RoomGraph => ({
  rooms,
  arrows: new Set(
    files
      .filter(({ path }) => !isTest(path) && roomOf(path) >= 0)
      .flatMap(importsOf)
      .flatMap(({ from, target }) => {
        const to = target === null ? -1 : roomOf(target)
        return to < 0 || to === roomOf(from) ? [] : [arrowOf(roomOf(from), to)]
      }),
  ),
})

/** The layers of the project and the arrows between them. Imports of types count. */
export const layerGraph = (files: ReadonlyArray<Source>): RoomGraph => buildGraph(files, layers, layerOf)

/** The areas of `src/domain` and the arrows between them. */
export const areaGraph = (files: ReadonlyArray<Source>): RoomGraph => buildGraph(files, areas, areaOf)

/**
 * The graph without the arrows that a longer way implies. The arrows must point from a later room to an earlier one,
 * as `layers.test.ts` asserts; so the graph has no cycle, and what is left is the same for every order of the files.
 */
export const reduceArrows = ({ rooms, arrows }: RoomGraph): RoomGraph => {
  const reached: Array<ReadonlySet<number>> = []
  const kept = new Set<string>()
  rooms.forEach((_, from) => {
    const reachedFrom = new Set<number>()
    for (let to = from - 1; to >= 0; to -= 1) {
      if (!arrows.has(arrowOf(from, to))) continue
      if (!reachedFrom.has(to)) kept.add(arrowOf(from, to))
      for (const next of [to, ...(reached[to] ?? [])]) reachedFrom.add(next)
    }
    reached.push(reachedFrom)
  })
  return { rooms, arrows: kept }
}

const idOf = (room: string): string => room.replaceAll(/\W/g, '_').replace(/_$/, '')

const labelOf = (room: string): string => room.replace(/\/$/, '')

/** A mermaid flowchart, the highest room first, one line for each room that imports from others. */
export const drawGraph = ({ rooms, arrows }: RoomGraph): string => {
  const lines = rooms
    .map((room, from) => {
      const targets = rooms.filter((_, to) => arrows.has(arrowOf(from, to))).map(idOf)
      const node = `    ${idOf(room)}["${labelOf(room)}"]`
      return targets.length === 0 ? node : `${node} --> ${targets.join(' & ')}`
    })
    .reverse()
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n')
}

const replaceBetween = (text: string, name: string, drawing: string): string => {
  const [start, end] = [`<!-- graph: ${name} -->`, `<!-- end of graph: ${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`the document has no "${start}" followed by "${end}"; write both lines into it`)
  return `${text.slice(0, from + start.length)}\n${drawing}\n${text.slice(to)}`
}

/**
 * The text of docs/architecture.md with the graphs of these files between its marker comments.
 *
 * @throws an Error where a pair of marker comments is missing.
 */
export const drawRooms = (text: string, files: ReadonlyArray<Source>): string =>
  [
    { name: 'layers', graph: layerGraph(files) },
    { name: 'areas', graph: areaGraph(files) },
  ].reduce((drawn, { name, graph }) => replaceBetween(drawn, name, drawGraph(reduceArrows(graph))), text)
