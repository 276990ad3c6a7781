import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it, type Suite } from 'mocha'
import type { Method, Route, Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { testMachineToken } from '#test/support/front.js'
import {
  type Asking,
  benchTokens,
  checkRefused,
  collectNeededPairs,
  fieldOf,
  ordinary,
  type Pairs,
  type Subject,
} from './bench.js'
import { type OwnCase, ownCases } from './own-cases.js'
import { samples } from './samples.js'

/**
 * What an access matrix asks beyond the rows of routes.test.ts (anonymous, without the capability, own, full): what an
 * own-only caller gets of others, and what stands beside the rows.
 */

const table: Table = routes
const ownCased: Readonly<Record<string, ReadonlyArray<OwnCase>>> = ownCases
const methods: ReadonlyArray<Method> = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const subjectOf = (id: string, row: Route): Subject => {
  const sample = samples[id]
  if (sample === undefined) throw new Error(`${id} has no sample`)
  return { id, row, sample }
}

const paths = [...new Set(Object.values(table).map(row => row.path))]

const at = (path: string): ReadonlyArray<readonly [string, Route]> =>
  Object.entries(table).filter(([, row]) => row.path === path)

/** Methods that another row takes at the path, for a parameter of that row may be this row's word. */
const methodsTakenAt = (target: string): ReadonlySet<string> => {
  const parts = target.split('/')
  const matches = (path: string): boolean => {
    const own = path.split('/')
    return own.length === parts.length && own.every((part, n) => part.startsWith('{') || part === parts[n])
  }
  return new Set(Object.values(table).flatMap(row => (matches(row.path) ? [row.method] : [])))
}

const pairsOf = (query: Readonly<Record<string, string>> | undefined): Pairs => Object.entries(query ?? {})

/** What stands beside the rows, seen where they are asked. */
export const seeAccess = (start: () => Promise<Asking>): Suite =>
  describe('access', () => {
    let bench: Asking
    before(async () => {
      bench = await start()
    })
    after(() => bench.close())

    const ofAnother = (
      subject: Subject,
      foreign: Extract<OwnCase, { is: 'refused' }>['foreign'],
    ): Subject => ({
      ...subject,
      sample: {
        ...subject.sample,
        path: foreign.path ?? subject.sample.path,
        ...('body' in foreign ? { body: foreign.body } : {}),
      },
    })

    for (const [id, row] of Object.entries(table).filter(([, one]) => one.own)) {
      const capability = row.capability ?? 'entity.read'
      const subject = subjectOf(id, row)
      const cases = ownCased[id] ?? []

      describe(`${row.method} ${row.path} for the holder of ${capability}.own alone`, () => {
        it('has a case', () => ok(cases.length > 0))

        for (const [n, one] of cases.entries())
          it(`${n + 1}: ${one.is}`, async () => {
            const token = benchTokens.own(capability)
            if (one.is === 'refused') {
              const [other, pairs] = [ofAnother(subject, one.foreign), pairsOf(one.foreign.query)]
              for (const query of [pairs, [...pairs, ['dryRun', 'true'] as const]]) {
                const reply = await bench.ask(other, query, { token })
                checkRefused(reply, 403, 'Forbidden')
                equal(fieldOf(reply, 'required'), capability)
              }
              // The same request is not refused for whom the capability is held in full: it is whose that decides.
              const whole = [...pairs, ...bench.trial(row)]
              const full = await bench.ask(other, whole, { token: benchTokens.plain(capability) })
              ok(full.status !== 403, full.text)
              return
            }
            const reply = await ordinary(bench, subject, { token })
            if (one.is === 'whole') {
              const full = await bench.ask(subject, collectNeededPairs(subject), { token: testMachineToken })
              return equal(reply.text, full.text)
            }
            ok(reply.text.includes(one.own), reply.text)
            deepEqual(
              one.others.filter(word => reply.text.includes(word)),
              [],
              reply.text,
            )
          })
      })
    }

    for (const path of paths) {
      const [first] = at(path)
      if (first === undefined) continue
      const subject = subjectOf(...first)
      const target = path.replace(/\{([^}]+)\}/g, (_, name: string) =>
        encodeURIComponent(subject.sample.path[name] ?? ''),
      )
      const others = methods.filter(method => !methodsTakenAt(target).has(method))

      it(`${path}: 404 with a token for ${others.join(', ') || 'no other method'}, 401 without`, async () => {
        for (const method of others) {
          checkRefused(await bench.ask(subject, [], { method, body: '{}' }), 404, 'RouteNotFound')
          checkRefused(await bench.ask(subject, [], { method, body: '{}', token: null }), 401, 'Unauthorized')
        }
      })

      it(`${path}/below: 401 for anonymous callers, 404 with a token`, async () => {
        const below: Subject = {
          ...subject,
          row: { ...subject.row, method: 'GET', path: `${path}/below/it` },
        }
        checkRefused(await bench.ask(below, [], { token: null, body: '' }), 401, 'Unauthorized')
        checkRefused(await bench.ask(below, [], { token: 'sess_nieznany', body: '' }), 401, 'Unauthorized')
        checkRefused(await bench.ask(below, [], { body: '' }), 404, 'RouteNotFound')
      })
    }
  })
