import { deepEqual } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'

const SpecifiedRoutes = t.array(
  t.type({
    method: t.string,
    path: t.string,
    capability: t.union([t.string, t.null]),
    write: t.boolean,
    spec: t.string,
  }),
)

const file = new URL('../../../shared/spec/routes.json', import.meta.url)

describe('the route table against the specification', () => {
  it('has every row of the specification and no other, and none that differs', function () {
    if (!existsSync(file)) {
      process.stdout.write('      the specification is not beside the project: not compared\n')
      this.skip()
    }
    const decoded = SpecifiedRoutes.decode(JSON.parse(readFileSync(file, 'utf8')))
    if (isLeft(decoded)) throw new Error('routes.json has another shape')
    const specified = new Map(decoded.right.map(row => [`${row.method} ${row.path}`, row]))
    const rows = Object.values(routes)
    const differing = rows.flatMap(row => {
      const one = specified.get(`${row.method} ${row.path}`)
      if (one === undefined) return [`${row.method} ${row.path} is not specified`]
      const same = one.capability === row.capability && one.write === row.write
      return same
        ? []
        : [`${row.method} ${row.path}: capability ${row.capability ?? '-'}, write ${String(row.write)}`]
    })
    const served = new Set(rows.map(row => `${row.method} ${row.path}`))
    deepEqual(
      [...specified.keys()].filter(row => !served.has(row)),
      [],
    )
    deepEqual(differing, [])
  })
})
