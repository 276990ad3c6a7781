import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { nameKey } from '#protocol/atoms.js'

const Entity = t.intersection([
  t.type({ Name: t.string, Type: t.string }),
  t.partial({ Owner: t.union([t.string, t.null]) }),
])
const Served = t.type({ items: t.readonlyArray(Entity) })

type Item = t.TypeOf<typeof Entity>

const itemsOf = (text: string | null): ReadonlyArray<Item> | null => {
  if (text === null) return null
  const decoded = Served.decode(JSON.parse(text))
  return isLeft(decoded) ? null : decoded.right.items
}

/** An entity without where it stands: a line moves when something above it is written. */
const itemText = (item: Item): string =>
  JSON.stringify(item, (key, value: unknown) => (key === 'Line' ? undefined : value))

const byName = (items: ReadonlyArray<Item>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const item of items) {
    const key = `${item.Type} ${item.Name}`
    found.set(key, `${found.get(key) ?? ''}${itemText(item)}\n`)
  }
  return found
}

/** Where two texts begin to differ. */
const differsAt = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 40), at + 60).trim()

/**
 * Entities that are served another way than before though they are not the caller's: their balance, owner, place or
 * group moved without a row of theirs being written. Texts are answers of `GET /entities`.
 */
export const projectionViolations = (
  before: string | null,
  after: string | null,
  person: string | null,
): ReadonlyArray<string> => {
  const [was, is] = [itemsOf(before), itemsOf(after)]
  if (was === null || is === null) return ['the entities are not served any more']
  const isOwn = ({ Type, Owner }: Item): boolean =>
    person !== null && Type === 'Postać' && nameKey(Owner ?? '') === nameKey(person)
  const now = byName(is)
  return [...byName(was.filter(item => !isOwn(item)))]
    .filter(([key, text]) => now.get(key) !== text)
    .map(([key, text]) => {
      const other = now.get(key) ?? 'nothing'
      const at = differsAt(text, other)
      return `"${key}": ${around(text, at)} is ${around(other, at)}`
    })
}
