import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { after, before, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { ChangePage } from '#protocol/lore/audit.js'
import type { GitHistory } from '#src/ports/git.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { historyOf, pastHead, type ToldCommit } from '#test/support/history.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const block = (name: string, status: string, more = ''): string =>
  `### ${name}\n- @typ: NPC\n- @status: ${status}\n${more}\n`

const secrets = [
  'https://chat.example/api/webhooks/123/tajny-webhook',
  'apik_tajny-klucz',
  'sess_tajna-sesja',
  'https://kto:tajne-haslo@git.example/x.git',
]

const index = 'encje/indeks.md'

const told: ReadonlyArray<ToldCommit> = [
  {
    subject: `entities: ${secrets[1]}`,
    files: {
      [index]: [block('Orrin', 'Aktywny'), block('Orrin', 'Nieaktywny', '- @tematy_zastrzezone: pająki\n')],
      'sesje/a.md': [
        null,
        `### 2026-05-10, Most, Brzoza\n\n${secrets.join(' ')}\n\n- @Zmiany:\n    - Orrin\n        - @prfwebhook: ${secrets[0]}\n`,
      ],
      'Gracze.md': ['a', secrets.join('\n')],
    },
  },
  {
    subject: 'entities: Iga',
    files: {
      [index]: [
        block('Orrin', 'Aktywny'),
        `${block('Orrin', 'Aktywny')}${block('Iga', 'Aktywny', `- @info: ${secrets.join(' ')}\n- @prfwebhook: ${secrets[0]}\n`)}`,
      ],
    },
  },
  { subject: 'nothing', files: { 'a.txt': ['a', 'b'] } },
]

const worldAt = (text: string) => {
  const commit = CommitId.decode(text)
  if (isLeft(commit)) throw new Error(text)
  return { ...worldOf({ '.svc/format.json': '{"format": 2}' }), commit: commit.right }
}

const Refused = t.type({ error: t.string, detail: t.string })

describe('GET /audit/changes', () => {
  let front: TestFront
  let history: GitHistory | null = historyOf(told)

  before(async () => {
    front = await testFront({
      snapshot: worldAt(pastHead),
      node: {
        ...nodeView(),
        get history() {
          return history
        },
      },
      callers: {
        reader: callerWith(['log.read']),
        narrator: callerWith(['log.read', 'session.read']),
        radny: callerWith(['log.read', 'session.read', 'player.restricted.read']),
      },
    })
  })

  after(() => front.close())

  const ask = (query: string, token = 'radny') =>
    front.client.ask(`/audit/changes${query}`, { headers: { authorization: `Bearer ${token}` } })

  const page = async (query: string, token?: string): Promise<ChangePage> => {
    const reply = await ask(query, token)
    const read = ChangePage.decode(JSON.parse(reply.text))
    if (isLeft(read)) throw new Error(`${reply.status} ${reply.text}`)
    return read.right
  }

  it('tells per field who changed what, when and in which commit', async () => {
    const [first] = (await page('?name=orrin&field=@status')).items
    deepEqual(
      [first?.who, first?.actor, first?.route, first?.intent, first?.at, first?.file],
      ['Brzoza', 'Brzoza', 'PATCH /entities/{name}', 'intent-0', '2026-05-01T10:00:00.000Z', index],
    )
    deepEqual(
      [first?.kind, first?.name, first?.field, first?.op, first?.before, first?.after],
      ['entity', 'Orrin', 'status', 'changed', 'Aktywny', 'Nieaktywny'],
    )
    ok(CommitId.is(first?.commit))
  })

  it('comes in pages that join to the whole, whatever their size', async () => {
    const { items: all, next } = await page('')
    equal(next, null)
    for (const limit of [1, 2, 3, 5]) {
      const items = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const part: ChangePage = await page(`?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        ok(part.count <= limit && part.items.length === part.count)
        items.push(...part.items)
        cursor = part.next
      }
      deepEqual(items, all, String(limit))
    }
    equal((await page('?limit=0')).count, 0)
    deepEqual((await page('?limit=-1')).items, all)
  })

  it('is filtered by name and field; a name that nobody has is an empty page', async () => {
    deepEqual([...new Set((await page('?name=IGA')).items.map(one => one.name))], ['Iga'])
    deepEqual([...new Set((await page('?field=typ')).items.map(one => one.field))], ['typ'])
    deepEqual([...new Set((await page('?file=a.txt')).items.map(one => one.file))], ['a.txt'])
    deepEqual((await page('?name=%27%3B--%00')).items, [])
  })

  it('never repeats a credential, to nobody', async () => {
    for (const token of ['reader', 'narrator', 'radny']) {
      const { text } = await ask('', token)
      for (const word of ['tajny', 'tajna', 'tajne']) equal(text.includes(word), false, `${token}: ${word}`)
    }
  })

  it('withholds sessions and restricted topics from who may not read them', async () => {
    const seen = async (token: string) =>
      (await page('', token)).items
        .filter(one => one.field === 'tematy_zastrzezone' || one.field === 'treść')
        .map(one => [one.field, one.withheld])
    deepEqual(await seen('reader'), [
      ['tematy_zastrzezone', 'restricted'],
      ['treść', 'session'],
    ])
    deepEqual(await seen('narrator'), [
      ['tematy_zastrzezone', 'restricted'],
      ['treść', null],
    ])
    deepEqual(await seen('radny'), [
      ['tematy_zastrzezone', null],
      ['treść', null],
    ])
    equal((await ask('', 'reader')).text.includes('pająki'), false)
  })

  const refused = async (query: string): Promise<readonly [number, string]> => {
    const reply = await ask(query)
    const read = Refused.decode(JSON.parse(reply.text))
    if (isLeft(read)) throw new Error(reply.text)
    return [reply.status, read.right.error]
  }

  for (const [what, cursor] of [
    ['of another history', `${'b'.repeat(40)}.0.0.0`],
    ['with a word of git', 'HEAD.0.0.0'],
    ['with an option of git', '--all.0.0.0'],
    ['with a range', `${pastHead}..${pastHead}.0.0.0`],
    ['cut short', pastHead],
    ['with a negative place', `${pastHead}.-1.0.0`],
    ['with a place beyond counting', `${pastHead}.${'9'.repeat(30)}.0.0`],
    ['with a NUL', `${pastHead}.0.0.0%00`],
    ['with a newline', `${pastHead}.0.0.0%0A`],
    ['that is empty', ''],
  ] as const)
    it(`refuses a cursor ${what}`, async () =>
      deepEqual(await refused(`?cursor=${cursor}`), [400, 'ParameterInvalid']))

  it('answers a cursor behind the last change with an empty page', async () => {
    for (const place of ['0.999999999.0', '0.0.999999999', '999999999.0.0'])
      equal((await page(`?cursor=${pastHead}.${place}&name=Iga&field=typ`)).next, null)
  })

  it('is 409 on a plain directory, empty before the first commit, 503 where too many read', async () => {
    const kept = history
    history = null
    deepEqual(await refused(''), [409, 'NoRepository'])
    history = { ...historyOf(told), walk: () => Promise.resolve(null) }
    deepEqual(await refused(''), [503, 'Overloaded'])
    history = kept
    front.serve(worldOf({}))
    equal((await page('')).count, 0)
    front.serve(worldAt(pastHead))
  })
})

describe('GET /audit/ledger', () => {
  it('is 404 for a name that no block has and no Transfer names', async () => {
    const snapshot = worldOf({
      '.svc/format.json': '{"format": 2}',
      'encje/indeks.md': '### Anna\n- @typ: Postać\n',
      'Sesje.md': '### 2026-05-01, Targ, Solmyr\n\nOpis.\n\n- Transfer: 4 korony, Anna -> Dawny Kupiec\n',
    })
    const front = await testFront({
      snapshot,
      callers: { clerk: callerWith(['currency.read', 'entity.read']) },
    })
    const ask = (entity: string) =>
      front.client.ask(`/audit/ledger?entity=${encodeURIComponent(entity)}`, { token: 'clerk' })
    try {
      const unknown = await ask('Anma')
      equal(unknown.status, 404, unknown.text)
      ok(isFields(unknown.json))
      deepEqual([unknown.json['error'], unknown.json['nearest']], ['EntityNotFound', ['Anna']])
      for (const entity of ['Anny', 'Dawny Kupiec']) {
        const known = await ask(entity)
        deepEqual([known.status, known.text.includes('Dawny Kupiec')], [200, true], known.text)
      }
    } finally {
      await front.close()
    }
  })
})
