import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it, type Suite } from 'mocha'
import { queryOf, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import {
  type Asking,
  checkRefused,
  collectNeededPairs,
  fieldOf,
  isOrdinary,
  type Subject,
} from '#test/contract/bench.js'
import { samples } from '#test/contract/samples.js'
import { jsonField } from '#test/support/json-field.js'
import type { OwnScopeHost, StartOwnScope } from './own-scope-host.js'

/** Fields that no body may set by naming them (SECURITY 4.4). */
const fields = {
  type: 'Gracz',
  owner: 'Przybysz',
  capabilities: ['admin.all'],
  id: 'zmyślone-id',
  status: 'Usunięty',
  gameId: '99999',
}

const table: Table = routes

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rows that commit and take a body: what they would change is shown by their dry run. */
const subjects: ReadonlyArray<Subject> = Object.entries(table).flatMap(
  ([id, row]: readonly [string, Route]) => {
    const sample = samples[id]
    const commits = row.write && row.body !== null && Object.keys(row.answers).length > 0
    return commits && sample !== undefined && 'dryRun' in queryOf(row) && isObject(sample.body)
      ? [{ id, row, sample }]
      : []
  },
)

/** What bodies of committing rows may not set by naming it; `except` are rows that the bench cannot ask. */
export const seeMassAssignment = (start: () => Promise<Asking>, except: ReadonlyArray<string> = []): Suite =>
  describe('SECURITY 4.4 mass assignment', () => {
    let bench: Asking
    before(async () => {
      bench = await start()
    })
    after(() => bench.close())

    const diffOf = async (subject: Subject, body: object): Promise<unknown> => {
      const query = [...collectNeededPairs(subject), ['dryRun', 'true'] as const]
      const reply = await bench.ask(subject, query, { body: JSON.stringify(body) })
      isOrdinary(subject, reply, true)
      return reply.json
    }

    /** Refused as it is sent, and not only in its dry run. */
    const isRefusedAt = async (subject: Subject, body: object, path: string): Promise<void> => {
      const reply = await bench.ask(subject, collectNeededPairs(subject), { body: JSON.stringify(body) })
      checkRefused(reply, 400, 'BodyInvalid')
      equal(fieldOf(reply, 'path'), path)
    }

    /** Refused, or a field of the same row of the file: the person whose row it is stays. */
    const isFieldAtMost = async (subject: Subject, body: object, plain: unknown): Promise<void> => {
      const query = [...collectNeededPairs(subject), ['dryRun', 'true'] as const]
      const reply = await bench.ask(subject, query, { body: JSON.stringify(body) })
      if (reply.status === 200) equal(fieldOf(reply, 'wouldUpdate'), jsonField(plain, 'wouldUpdate'))
      else checkRefused(reply, 422, 'ValueRefused')
    }

    for (const subject of subjects.filter(({ id }) => !except.includes(id)))
      it(`${subject.row.method} ${subject.row.path} takes none of ${Object.keys(fields).join(', ')}`, async () => {
        const { body } = subject.sample
        ok(isObject(body))
        const plain = await diffOf(subject, body)
        for (const [name, value] of Object.entries(fields)) {
          if (Object.hasOwn(body, name)) continue
          const assigned: object = { ...body, [name]: value }
          if (subject.row.unknownKeys === 'written') await isFieldAtMost(subject, assigned, plain)
          else if (subject.row.unknownKeys === 'ignored')
            deepEqual(await diffOf(subject, assigned), plain, name)
          else await isRefusedAt(subject, assigned, `$.${name}`)
        }
      })
  })

/** Tags of a Postać that its player may not set. */
export const seeTagAssignment = (start: StartOwnScope): Suite =>
  describe('SECURITY 4.4 mass assignment by tags of a Postać', () => {
    let host: OwnScopeHost
    before(async () => {
      host = await start()
    })
    after(() => host.close())
    afterEach(() => host.isUnwritten())

    const tags: ReadonlyArray<readonly [tag: string, value: string]> = [
      ['typ', 'Gracz'],
      ['owner', 'Łucja'],
      ['capabilities', 'admin.all'],
      ['id', '7'],
      ['gameid', '71001'],
      ['rola', 'Radny'],
      ['klucz_api', 'a'.repeat(64)],
      ['pu_suma', '99'],
      ['pu_startowe', '99'],
      ['ref', 'Postaci/Gracze/Żbik.md'],
    ]

    for (const [tag, value] of tags)
      it(`@${tag} is refused, made or changed, dry or not`, async () => {
        const made = { name: 'Nowa', tags: { należy_do: 'Odo', [tag]: value } }
        for (const [method, path, body] of [
          ['POST', '/characters', made],
          ['POST', '/characters?dryRun=true', made],
          ['PATCH', '/characters/Wilk', { tag, value }],
          ['PATCH', '/characters/Wilk?dryRun=true', { tag: `@${tag.toUpperCase()}`, value }],
        ] as const) {
          const reply = await host.client.ask(path, {
            method,
            token: host.token.odo,
            body: JSON.stringify(body),
          })
          ok(reply.status === 422 || reply.status === 403, `${method} ${path}: ${reply.text}`)
          equal(reply.text.includes('"diff"'), false)
        }
      })
  })
