import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { hasControl } from '#protocol/atoms.js'
import {
  commits,
  ordinaryStatus,
  type QueryCodecs,
  queryOf,
  type Route,
  type Table,
} from '#protocol/route.js'
import type { AnyHandler, AnyHandlers } from './handler.js'

/** A row with its handler and what dispatch needs of it, computed once. */
export interface Served {
  readonly id: string
  readonly row: Route
  readonly handler: AnyHandler
  readonly query: QueryCodecs
  readonly ordinaryStatus: number
}

export interface Match {
  readonly served: Served
  /** Decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>
}

/**
 * Finds the row of a method and an encoded path below the prefix; left when an escape of the path is
 * malformed.
 */
export type Matcher = (method: string, path: string) => Either<'MalformedEscape', Match | null>

/** Pairs each row with its handler. */
export const bindHandlers = (table: Table, handlers: AnyHandlers): ReadonlyArray<Served> =>
  Object.entries(table).flatMap(([id, row]) => {
    const handler = handlers[id] ?? (commits(row) ? sendCommand : undefined)
    return handler === undefined
      ? []
      : [{ id, row, handler, query: queryOf(row), ordinaryStatus: ordinaryStatus(row) }]
  })

/** The matcher of a closed table; paths are below `prefix`. */
export const matcherOf = (served: ReadonlyArray<Served>, prefix: string): Matcher => {
  const root = treeOf(served)
  return (method, path) => {
    const inside = path.startsWith(`${prefix}/`)
    const segments = decodeSegments(inside ? path.slice(prefix.length) : path)
    if (segments === null) return left('MalformedEscape')
    if (!inside) return right(null)
    const values: Array<string> = []
    const found = descend(root, segments, 0, method, values)
    return right(found === null ? null : { served: found.served, path: nameParameters(found.names, values) })
  }
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | null
  readonly rows: Map<string, { readonly served: Served; readonly names: ReadonlyArray<string> }>
}

/** Path parameters have at most this many characters (D25): nothing in the lore has a longer name. */
const parameterCharsMax = 1000

/** A path parameter as the handler gets it. Of one above the limit, a beginning that is too long for any name. */
const boundParameter = (text: string): string => {
  if (text.length <= parameterCharsMax) return text
  const chars = Array.from(text)
  return chars.length <= parameterCharsMax ? text : `${chars.slice(0, parameterCharsMax).join('')}…`
}

const makeNode = (): Node => ({ literals: new Map(), parameter: null, rows: new Map() })

const childOf = (at: Node, segment: string): Node => {
  if (segment.startsWith('{')) {
    at.parameter ??= makeNode()
    return at.parameter
  }
  const known = at.literals.get(segment)
  if (known !== undefined) return known
  const made = makeNode()
  at.literals.set(segment, made)
  return made
}

const treeOf = (served: ReadonlyArray<Served>): Node => {
  const root = makeNode()
  for (const one of served) {
    const segments = one.row.path.split('/').slice(1)
    const leaf = segments.reduce(childOf, root)
    const names = segments.filter(part => part.startsWith('{')).map(part => part.slice(1, -1))
    leaf.rows.set(one.row.method, { served: one, names })
  }
  return root
}

/** Whether a text can be a path parameter: no name, header or id has a control character (F10), or is empty. */
const isParameter = (text: string): boolean => text !== '' && !hasControl(text)

const decodeSegments = (path: string): ReadonlyArray<string> | null => {
  const segments = path.split('/').slice(1)
  if (!path.includes('%')) return segments
  try {
    return segments.map(segment => (segment.includes('%') ? decodeURIComponent(segment) : segment))
  } catch {
    return null
  }
}

type Found = { readonly served: Served; readonly names: ReadonlyArray<string> }

/**
 * Finds the rows of a path. A literal has precedence over a parameter (D13); where it leads nowhere, the
 * parameter is tried. Adds the values of parameters to `values`.
 */
const descend = (
  at: Node,
  segments: ReadonlyArray<string>,
  depth: number,
  method: string,
  values: Array<string>,
): Found | null => {
  const segment = segments[depth]
  if (segment === undefined) return at.rows.get(method) ?? null
  const literal = at.literals.get(segment)
  const found = literal === undefined ? null : descend(literal, segments, depth + 1, method, values)
  if (found !== null) return found
  if (at.parameter === null || !isParameter(segment)) return null
  const kept = values.length
  values.push(boundParameter(segment))
  const below = descend(at.parameter, segments, depth + 1, method, values)
  if (below === null) values.length = kept
  return below
}

const none: Readonly<Record<string, string>> = Object.freeze({})

const nameParameters = (names: ReadonlyArray<string>, values: ReadonlyArray<string>): Match['path'] =>
  names.length === 0 ? none : Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))

/** The handler of a write that has none: the call goes to its planner as it is. */
const sendCommand: AnyHandler = () => right({ prepared: null })
