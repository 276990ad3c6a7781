import { deepEqual, ok } from 'node:assert/strict'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { SessionCreate } from '#protocol/lore/session-writes.js'
import type { Route } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { unknownKeyProblems } from './query.js'

const Inner = t.type({ a: t.string }, 'Inner')
const Codec = t.intersection([
  t.type({ name: t.string, both: t.type({ x: t.number }), list: t.readonlyArray(Inner) }),
  t.partial({
    both: t.partial({ y: t.number }),
    byName: t.record(t.string, Inner),
    either: t.union([t.string, Inner, t.readonlyArray(t.type({ b: t.string })), t.null]),
    wrapped: t.refinement(t.readonly(t.exact(Inner)), () => true),
    anything: t.unknown,
    open: t.UnknownRecord,
  }),
])

const pathsOf = (value: unknown, codec: t.Mixed = Codec): ReadonlyArray<string> =>
  unknownKeyProblems(codec, value).map(({ path }) => path)

describe('unknown keys of a body', () => {
  it('are found at any depth, in lists, records, unions, intersections and refinements', () => {
    deepEqual(
      pathsOf({
        name: 'x',
        nmae: 'x',
        both: { x: 1, y: 2, z: 3 },
        list: [{ a: '' }, { a: '', b: '' }],
        byName: { k: { a: '' }, l: { c: 1 } },
        either: { a: '', d: 1 },
        wrapped: { a: '', e: 1 },
        anything: { f: 1 },
        open: { g: { h: 1 } },
      }),
      ['$.nmae', '$.both.z', '$.list[1].b', '$.byName.l.c', '$.either.d', '$.wrapped.e'],
    )
    deepEqual(pathsOf({ either: [{ b: '', i: 1 }] }), ['$.either[0].i'])
    deepEqual(pathsOf({ either: 'a text', both: 'of another kind', list: {} }), [])
    deepEqual(pathsOf({ constructor: 1, toString: 2 }), ['$.constructor', '$.toString'])
  })

  it('are told with the keys that are known, at most 20 of them', () => {
    const metadata = { pu: [{ character: 'Wit', value: 1, PU: 2 }], Intel: [] }
    const body = { date: '2026-06-01', title: 'T', narrators: [], Content: 'x', metadata }
    deepEqual(unknownKeyProblems(SessionCreate, body), [
      {
        path: '$.Content',
        expected: 'one of the keys date, title, narrators, file, dateEnd, content, metadata',
      },
      { path: '$.metadata.pu[0].PU', expected: 'one of the keys character, value' },
      {
        path: '$.metadata.Intel',
        expected: 'one of the keys locations, logs, pu, participants, changes, transfers, intel, preserved',
      },
    ])
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]))
    deepEqual(pathsOf(many).length, 20)
  })

  it('are ignored in what other programs send, and by rows that always refuse, and nowhere else', () => {
    const sentByOthers = /^\/auth\/|-by-chat$|^\/chat\/dispatch$|^\/fleet\/announce$/
    for (const row of Object.values<Route>(routes)) {
      if (row.body === null) continue
      const ignores = sentByOthers.test(row.path) || (row.path.startsWith('/people') && row.write)
      deepEqual(row.unknownKeys === 'ignored', ignores, `${row.method} ${row.path}`)
      if (!ignores) continue
      const others = Object.values<Route>(routes).filter(
        one => one.body === row.body && one.unknownKeys !== 'ignored',
      )
      ok(others.length === 0, `${row.path} shares its body with a row that refuses unknown keys`)
    }
  })
})
