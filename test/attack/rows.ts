import { queryOf, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { Chance } from '#src/demo/chance.js'
import { samples } from '#test/contract/samples.js'
import type { Shot } from './ask.js'

const table: Table = routes

interface Wish {
  readonly body?: unknown
  readonly query: Readonly<Record<string, string>>
}

const wishes: ReadonlyMap<string, Wish> = new Map(Object.entries(samples))

/** A row with its id. */
export type AttackRow = readonly [id: string, row: Route]

/** Rows that end the daemon or its mode: they are no attack for those who may use them. */
const sparing: ReadonlySet<string> = new Set(['admin.shutdown', 'admin.mode.set'])

export const attackRows: ReadonlyArray<AttackRow> = Object.entries(table).filter(([id]) => !sparing.has(id))

export const readRoutes: ReadonlyArray<AttackRow> = attackRows.filter(([, row]) => row.method === 'GET')

const fillPath = (path: string, name: string): string =>
  path.replace(/\{[^}]*\}/gu, encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('/', '%2F'))

const queryText = (query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

const wholePaths: ReadonlySet<string> = new Set(
  attackRows.flatMap(([, row]) => (row.wholeCorpus === true ? [row.path] : [])),
)

/** Whether a request is answered with the whole corpus, which has no bound. */
export const answersWhole = ({ path }: Pick<Shot, 'path'>): boolean =>
  wholePaths.has(path.split('?')[0] ?? '')

/** The reads of the whole corpus. */
export const wholeReads = (token: string | null): ReadonlyArray<Shot> =>
  [...wholePaths].filter(path => !path.includes('{')).map(path => ({ method: 'GET', path, token }))

/** The reads of a world by one caller: each GET row for each name, plain and with `?limit=`. */
export const readsOf = (token: string | null, names: ReadonlyArray<string>): ReadonlyArray<Shot> =>
  readRoutes.flatMap(([, row]): ReadonlyArray<Shot> => {
    const targets = row.path.includes('{') ? names : names.slice(0, 1)
    return targets.map(name => {
      const needed: Record<string, string> = {}
      if (row.path === '/pu/new-character-count') needed['player'] = name
      if (row.path === '/claims/lint') needed['fresh'] = 'true'
      return { method: 'GET', path: `${fillPath(row.path, name)}${queryText(needed)}`, token }
    })
  })

/** Rows that change nothing, whatever their method. */
export const askingRows: ReadonlyArray<AttackRow> = attackRows.filter(
  ([, row]) => !row.write && row.poolReason !== 'mutates' && row.media === undefined,
)

/** A value like that of the example, another for each number: so no cache has the answer. */
const varied = (value: string, at: number): string => {
  if (/^\d{4}-\d{2}-\d{2}$/u.test(value))
    return new Date(Date.parse(value) - at * 86_400_000).toISOString().slice(0, 10)
  return /^\d+$/u.test(value) ? String(Number(value) + at) : value
}

const listLength = 200

/** Lists as long as a row takes them, of texts that differ. */
const lengthen = (value: unknown, length: number, at: number): unknown => {
  if (Array.isArray(value)) {
    const first: unknown = value[0]
    return Array.from({ length }, (_, nth) =>
      typeof first === 'string' ? `${first} ${at * length + nth}` : lengthen(first, listLength, at),
    )
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lengthen(one, length, at)]))
}

const longListMax = 3_000

/** So many requests to a row, with one parameter of its example in turn, each with other values. */
export const crowdOf = (
  [id, row]: AttackRow,
  token: string | null,
  names: ReadonlyArray<string>,
  count: number,
): ReadonlyArray<Shot> => {
  const { body, query } = wishes.get(id) ?? { query: {} }
  const given = Object.entries(query).filter(([key]) => key !== 'dryRun')
  const needed = given.filter(([key]) => row.example?.needs?.includes(key) === true)
  return Array.from({ length: count }, (_, at): Shot => {
    const turn = given.length === 0 ? [] : [given[at % given.length] ?? ['', '']]
    const asked = [...needed, ...turn].map(([key, value]) => [key, varied(value, at)] as const)
    const path = `${fillPath(row.path, names[at % names.length] ?? '')}${queryText(Object.fromEntries(asked))}`
    const sent = lengthen(body ?? {}, row.longList === undefined ? listLength : longListMax, at)
    const isSent = row.body !== null && typeof sent === 'object' && sent !== null
    return { method: row.method, path, token, ...(isSent ? { body: sent } : {}) }
  })
}

/** A text another way: what a matcher that folds too much or too little takes for something else. */
const bend = (chance: Chance, text: string): string =>
  chance.pick<(text: string) => string>([
    one => one,
    one => one.normalize('NFD'),
    one => one.toUpperCase(),
    one => ` ${one} `,
    one => `${one}\u200b`,
    one => `../${one}`,
    one => one.repeat(40),
    one => `${one}\n### ${one}\n- @rola: Radny`,
    one => `-${one}`,
    one => `${one}\u202e`,
    one => one.slice(0, 3),
  ])(text)

/** A value of a body with its texts bent, or put in the place of another's name. */
const bendBody = (chance: Chance, names: ReadonlyArray<string>, value: unknown): unknown => {
  if (typeof value === 'string') return chance.truth(0.4) ? value : bend(chance, chance.pick(names))
  if (typeof value === 'number') return chance.pick([value, -value, 0, 1e308, 1e-7, Number.MAX_SAFE_INTEGER])
  if (Array.isArray(value)) return value.map(one => bendBody(chance, names, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bendBody(chance, names, one)]))
}

const hostileQuery = (chance: Chance, row: Route, query: Wish['query'], name: string): string => {
  const chosen = Object.keys(queryOf(row)).filter(() => chance.truth(0.5))
  const values = chosen.map(key => {
    const value = chance.truth(0.5) ? (query[key] ?? 'true') : bend(chance, name)
    return [key, key === 'dryRun' ? 'true' : value] as const
  })
  return queryText(Object.fromEntries(values))
}

/** Requests to rows of the table with parameters that the seed picks among names and their bent forms. */
export const hostileRows = (
  chance: Chance,
  token: string | null,
  names: ReadonlyArray<string>,
  count: number,
): ReadonlyArray<Shot> =>
  Array.from({ length: count }, () => {
    const [id, row] = chance.pick(attackRows)
    const wish = wishes.get(id) ?? { query: {} }
    const name = chance.pick(names)
    const path = `${fillPath(row.path, bend(chance, name))}${hostileQuery(chance, row, wish.query, name)}`
    const body = row.body === null ? undefined : bendBody(chance, names, wish.body ?? {})
    const isObject = typeof body === 'object' && body !== null
    return { method: row.method, path, token, ...(isObject ? { body } : {}) }
  })
