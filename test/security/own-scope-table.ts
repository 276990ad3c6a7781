import { deepEqual, equal } from 'node:assert/strict'
import { after, afterEach, before, describe, it, type Suite } from 'mocha'
import type { Reply } from '#test/support/http-client.js'
import { type Fields, isFields } from '#test/support/matching.js'
import type { OwnScopeHost, StartOwnScope } from './own-scope-host.js'
import { hers } from './own-scope-world.js'

const fieldsOf = (json: unknown): Fields => (isFields(json) ? json : {})

/** One line: what an own-only caller sends of another's, and what it must get. */
interface Line {
  readonly id: string
  readonly input: string
  readonly answer: '403' | '200 without hers' | '400'
  readonly sends: readonly [method: string, path: string, body?: object]
}

type Sent = Line['sends']

const table = (
  first: number,
  lines: ReadonlyArray<readonly [input: string, sends: Sent, answer?: Line['answer']]>,
): ReadonlyArray<Line> =>
  lines.map(([input, sends, answer = '403'], at) => ({ id: `4.4.${first + at}`, input, answer, sends }))

const stan = { tag: 'stan', value: 'Ranny.' }
const nfd = (text: string): string => text.normalize('NFD')

const playerWrite = table(1, [
  ['another’s Postać by name', ['PATCH', '/characters/Żbik', stan]],
  ['by alias', ['PATCH', '/characters/Rysiek', stan]],
  ['by inflected form', ['PATCH', '/characters/Żbika', stan]],
  ['by case and NFD', ['DELETE', `/characters/${nfd('ŻBIK')}`]],
  ['by numeric id', ['PATCH', '/people/71001', { tag: 'alias', value: 'X' }]],
  ['by nested body field', ['POST', '/characters', { name: 'Nowa', tags: { należy_do: ['Odo', 'Łucja'] } }]],
  ['by filter beside the path', ['PATCH', '/characters/Żbik?name=Wilk&owner=Odo', stan]],
  ['by dryRun', ['PATCH', '/characters/Żbik?dryRun=true', stan]],
])

const puRead = table(9, [
  ['another’s timeline by name', ['GET', '/pu/timeline?character=Żbik']],
  ['by alias', ['GET', '/pu/timeline?character=Rysiek']],
  ['by inflected form', ['GET', '/pu/timeline?character=Żbika']],
  ['by case and NFD', ['GET', `/pu/new-character-count?player=${nfd('łUCJA')}`]],
  ['by numeric id', ['GET', '/pu/new-character-count?player=71001']],
  ['by body', ['GET', '/pu/timeline', { character: 'Żbik', player: 'Łucja' }], '200 without hers'],
  ['by list filter', ['GET', '/elections/eligibility?player=Łucja&limit=100&offset=0'], '200 without hers'],
  ['by dryRun', ['GET', '/pu/timeline?character=Żbik&dryRun=true']],
])

const moneyRead = table(17, [
  ['another’s money by name', ['GET', '/audit/ledger?entity=Żbik']],
  ['by alias', ['GET', '/audit/ledger?entity=Rysiek']],
  ['by inflected form', ['GET', '/audit/ledger?entity=Żbika']],
  ['by case and NFD', ['GET', `/audit/ledger?entity=${nfd('łUCJA')}`]],
  ['by numeric id', ['GET', '/audit/ledger?entity=71001']],
  ['by body', ['GET', '/audit/ledger', { entity: 'Żbik' }], '200 without hers'],
  ['by list filter', ['GET', '/audit/ledger?denomination=koron&limit=100&offset=0'], '200 without hers'],
  ['by dryRun', ['GET', '/audit/ledger?entity=Żbik&dryRun=true']],
])

const apiKey = table(25, [
  ['another’s key by name', ['POST', '/api-keys', { gameId: 'Łucja' }]],
  ['by alias', ['POST', '/api-keys', { gameId: 'Lusia' }]],
  ['by inflected form', ['POST', '/api-keys', { gameId: 'Łucji' }]],
  ['by case and NFD', ['POST', '/api-keys', { gameId: nfd('łUCJA') }]],
  ['by numeric id', ['POST', '/api-keys', { gameId: '71001' }]],
  [
    'by nested body field',
    ['POST', '/api-keys', { gameId: '71001', person: { gameId: '71002' }, caller: { gameId: '71001' } }],
    '400',
  ],
  ['by query beside the body', ['POST', '/api-keys?gameId=71002', { gameId: '71001' }]],
  ['by dryRun', ['POST', '/api-keys?dryRun=true', { gameId: '71001' }]],
])

const apiKeyFurther = table(53, [
  ['by one’s own name', ['POST', '/api-keys', { gameId: 'Odo' }]],
  ['by one’s own id with a blank or a zero', ['POST', '/api-keys', { gameId: ' 71002' }]],
  ['of nobody at all', ['POST', '/api-keys', { gameId: '99999' }]],
])

/** More ways to the same than the eight. */
const further = table(33, [
  ['her person by alias', ['PATCH', '/people/Lusia', { tag: 'alias', value: 'X' }]],
  ['her person in the body', ['POST', '/people', { name: 'ŁUCJA' }]],
  [
    'an owner by another spelling of the tag',
    ['POST', '/characters', { name: 'Nowa', tags: { należy_do: 'Odo', [nfd('@NALEŻY_DO')]: 'Łucja' } }],
  ],
  ['giving her mine', ['PATCH', '/characters/Wilk', { tag: '@należy_do', value: 'Lusia' }]],
  ['her entries by name', ['POST', '/characters/Żbik/info', { text: 'Boi się.' }]],
  ['her entries by alias', ['PUT', '/characters/Rysiek/info', { match: 'Ma bliznę.', text: 'X' }]],
  ['her entries by case', ['DELETE', '/characters/żbik/info', { match: 'Ma bliznę.' }]],
  ['her baseline by inflected form', ['GET', '/pu/new-character-count?player=Łucji']],
  ['two Postacie in one query', ['GET', '/pu/timeline?character=Wilk&character=Żbik'], '400'],
  ['everybody’s timeline', ['GET', '/pu/timeline'], '200 without hers'],
  ['a later page of the roll', ['GET', '/elections/eligibility?limit=1&offset=1'], '200 without hers'],
  ['nobody at all: the answer does not tell who is there', ['DELETE', '/characters/Nikt']],
])

/** SECURITY 4.4: what an own-only caller gets of another's. */
export const seeOwnScope = (start: StartOwnScope): Suite =>
  describe('SECURITY 4.4 own scope', () => {
    let host: OwnScopeHost
    before(async () => {
      host = await start()
    })
    after(() => host.close())
    afterEach(() => {
      host.isUnwritten()
      host.restore()
    })

    const ask = (token: string, [method, path, body]: Sent): Promise<Reply> =>
      host.client.ask(encodeURI(path).replaceAll('%25', '%'), {
        method,
        token,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })

    const isForbidden = (reply: Reply, required: string): void => {
      equal(reply.status, 403, reply.text)
      const { error, detail, ...rest } = fieldsOf(reply.json)
      deepEqual([error, rest], ['Forbidden', { required }])
      deepEqual(
        hers.filter(word => String(detail).includes(word)),
        [],
      )
    }

    const sees =
      (required: string, { answer, sends }: Line) =>
      async (): Promise<void> => {
        const reply = await ask(host.token.odo, sends)
        if (answer === '403') isForbidden(reply, required)
        else equal(reply.status, Number(answer.slice(0, 3)), reply.text)
        if (answer === '200 without hers')
          deepEqual(
            hers.filter(word => reply.text.includes(word)),
            [],
            reply.text,
          )
        const stray = await ask(host.token.stray, sends)
        if (answer === '400') equal(stray.status, 400)
        else isForbidden(stray, required)
      }

    for (const one of playerWrite)
      it(`${one.id} | player.write.own: ${one.input} | ${one.answer}`, sees('player.write', one))
    for (const one of puRead)
      it(`${one.id} | pu.read.own: ${one.input} | ${one.answer}`, sees('pu.read', one))
    for (const one of moneyRead)
      it(`${one.id} | currency.read.own: ${one.input} | ${one.answer}`, sees('currency.read', one))
    for (const one of [...apiKey, ...apiKeyFurther])
      it(`${one.id} | apikey.manage.own: ${one.input} | ${one.answer}`, sees('apikey.manage', one))
    for (const one of further)
      it(
        `${one.id} | ${one.input} | ${one.answer}`,
        sees(/^\/(?:pu|elections)\//.test(one.sends[1]) ? 'pu.read' : 'player.write', one),
      )

    for (const [id, sends] of [
      ['4.4.50', ['GET', '/sync']],
      ['4.4.51', ['POST', '/sync', {}]],
    ] as const)
      it(`${id} | an own-only sync at ${sends[0]} /sync | 403: it is no grant`, async () => {
        isForbidden(await ask(host.token.odo, sends), sends[0] === 'GET' ? 'sync.read' : 'sync.run')
      })

    it('4.4.45 | her character file named by @plik of mine | 422 ValueRefused', async () => {
      const body = JSON.stringify({ tag: 'plik', value: 'Postaci/Gracze/Żbik.md' })
      const named = { method: 'PATCH', token: host.token.odo, body }
      const { status, json } = await host.client.ask('/characters/Wilk', named)
      deepEqual([status, Reflect.get(Object(json), 'error')], [422, 'ValueRefused'])
      equal((await host.client.ask('/entities/Wilk/file', { token: host.token.odo })).status, 404)
      host.restore()
    })

    it('numbers each line once', () => {
      const ids = [...playerWrite, ...puRead, ...moneyRead, ...apiKey, ...apiKeyFurther, ...further].map(
        one => one.id,
      )
      equal(new Set(ids).size, ids.length)
      deepEqual(
        [playerWrite, puRead, moneyRead, apiKey].map(one => one.length),
        [8, 8, 8, 8],
      )
    })

    it('lets the same through for what is one’s own', async () => {
      for (const sends of [
        ['GET', '/pu/timeline?character=Szary'],
        ['GET', '/pu/new-character-count?player=odek'],
        ['GET', '/audit/ledger?entity=Szary'],
        ['GET', '/audit/ledger?entity=odek'],
        ['PATCH', '/characters/WILK?dryRun=true', stan],
        ['POST', '/api-keys?dryRun=true', { gameId: '71002' }],
      ] as const)
        equal((await ask(host.token.odo, sends)).status, 200, sends[1])
    })
  })
