import { deepEqual, equal } from 'node:assert/strict'
import { isRight, left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { Route, Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { bindHandlers, matcherOf } from '#src/http/routing/matcher.js'
import { isTest, sources } from './sources.js'

/** What two rows must not share: the method and the path with its parameters unnamed (D13). */
const patternOf = ({ method, path }: Route): string => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`

const twins = (table: Table): ReadonlyArray<string> => {
  const seen = new Map<string, string>()
  return Object.entries(table).flatMap(([id, row]) => {
    const first = seen.get(patternOf(row))
    seen.set(patternOf(row), first ?? id)
    return first === undefined ? [] : [`${first} and ${id}: ${patternOf(row)}`]
  })
}

const rows: ReadonlyArray<readonly [string, Route]> = Object.entries(routes)
const nowhere = () => left(refuse('Internal', 'no handler in this test'))
const match = matcherOf(
  bindHandlers(routes, Object.fromEntries(rows.map(([id]) => [id, nowhere]))),
  '/v1/api',
)

const idOf = (method: string, path: string): string | null => {
  const found = match(method, `/v1/api${path}`)
  return isRight(found) ? (found.right?.served.id ?? null) : null
}

/** Rows whose path is what another row of the method takes as a parameter, such as `/entities/links`. */
const shadowed = rows.filter(
  ([id, row]) =>
    !row.path.includes('{') &&
    rows.some(
      ([other, { method, path }]) =>
        other !== id &&
        method === row.method &&
        new RegExp(`^${path.replace(/\{[^}]*\}/g, '[^/]+')}$`).test(row.path),
    ),
)

const named = /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w\-/{}$.]*[\w}])/gu
/** Texts about other programs, and about rows that this build does not have. */
const elsewhere = ['GET /metrics', 'POST /workflows/award-pu']

/** Whether a text names a row: a parameter in it stands for one of the row, and a word for the same word. */
const namesRow = (method: string, path: string): boolean =>
  rows.some(([, row]) => {
    const [asked, own] = [path.split('/'), row.path.split('/')]
    return (
      row.method === method &&
      own.length === asked.length &&
      own.every((part, at) => part === asked[at] || (part.startsWith('{') && /^[{$]/u.test(asked[at] ?? '')))
    )
  })

describe('patterns of the route table', () => {
  it('are what the messages of the program name', () => {
    const texts = sources.filter(({ path }) => !isTest(path) && /^(?:protocol|src|actors)\//u.test(path))
    const wrong = texts.flatMap(({ path, text }) =>
      [...text.matchAll(named)].flatMap(([row, method = '', at = '']) =>
        namesRow(method, at) || elsewhere.includes(row) ? [] : [`${path}: ${row}`],
      ),
    )
    deepEqual(wrong, [])
    equal(namesRow('GET', '/sessions/narrators'), false)
  })

  it('differ in more than the names of their parameters', () => {
    deepEqual(twins(routes), [])
    const row = routes['entities.get']
    deepEqual(twins({ entity: row, twin: { ...row, path: '/entities/{nazwa}' } }), [
      'entity and twin: GET /entities/{}',
    ])
  })

  it('let a literal win over a parameter', () => {
    equal(shadowed.length > 5, true)
    for (const [id, row] of shadowed) equal(idOf(row.method, row.path), id)
  })

  it('let each row be found by its own path', () => {
    for (const [id, row] of rows)
      equal(idOf(row.method, row.path.replace(/\{[^}]*\}/g, 'nazwa%2Fz%20ukośnikiem')), id)
  })

  it('name their parameters once', () => {
    for (const [, { path }] of rows) {
      const names = [...path.matchAll(/\{([^}]*)\}/g)].map(found => found[1])
      equal(new Set(names).size, names.length, path)
    }
  })
})
