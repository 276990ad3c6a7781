import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Place, readPlacedJson } from '#src/lore/json-text.js'
import { sections } from './unknown-keys.js'

/** Why a text is no configuration, and where. `reason` quotes no value of the text. */
export interface ConfigFault extends Place {
  readonly reason: string
}

const Tree = t.UnknownRecord

const start: Place = { line: 1, column: 1 }

const at = (tree: Record<string, unknown>, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (node, part) => (Tree.is(node) && Object.hasOwn(node, part) ? node[part] : undefined),
      tree,
    )

/**
 * The tree of a configuration (D53). A fault is text that is no JSON, a key that stands twice, a value that is no
 * object, or a section such as `server` that is none. A single key of a wrong type is no fault: it has its default.
 */
export const parseConfig = (text: string): Either<ConfigFault, Record<string, unknown>> => {
  const read = readPlacedJson(text)
  if (isLeft(read)) {
    const { path, reason, line, column } = read.left
    return left({ reason: path === '$' ? reason : `${reason}, at ${path.slice(2)}`, line, column })
  }
  const { value, placeOf } = read.right
  if (!Tree.is(value)) return left({ reason: 'the file wants one JSON object', ...start })
  for (const name of sections) {
    const section = at(value, name)
    if (section !== undefined && !Tree.is(section))
      return left({ reason: `${name} wants an object of keys`, ...(placeOf(`$.${name}`) ?? start) })
  }
  return right(value)
}
