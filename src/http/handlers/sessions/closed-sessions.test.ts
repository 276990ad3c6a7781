import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { closeSessions } from '#test/support/closed-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const closedHeader = '2026-03-01, Zapłata, Solmyr'
const settledHeader = '2026-04-01, Rozliczona, Solmyr'
const openHeader = '2026-05-01, Otwarta, Solmyr'
const goneHeader = '2026-02-01, Usunięta, Solmyr'

const batch = {
  id: '2026-04',
  month: '2026-04',
  at: '2026-05-02T08:00:00Z',
  source: 'batch',
  sessions: [settledHeader.toUpperCase()],
  awards: [],
}

const files = {
  'encje/indeks.md': '### Anna\n- @typ: Postać\n- @należy_do: Solmyr\n\n### Borys\n- @typ: NPC\n',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'Sesje.md': `### ${closedHeader}

Opis.

- Transfer: 4 korony, Anna -> Borys

### ${goneHeader}

- @Zmiany:
    - Borys
        - @status: Aktywny
`,
}

const world = () => {
  const texts = closeSessions(files, true)
  const sessions = (texts['Sesje.md'] ?? '').split(`### ${goneHeader}`)[0] ?? ''
  return worldOf({
    ...texts,
    '.svc/format.json': '{"format": 2}',
    '.svc/pu/batches.jsonl': `${JSON.stringify(batch)}\n`,
    'Sesje.md': sessions,
    'Inne.md': `### ${settledHeader}\n\nOpis.\n\n- @PU:\n    - Anna: 1\n\n### ${openHeader}\n\nOpis.\n`,
  })
}

const effects: ReadonlyArray<readonly [field: string, block: object]> = [
  ['transfers', { transfers: [{ amount: 5, denomination: 'korony', source: 'Anna', destination: 'Borys' }] }],
  ['no transfers', { transfers: [] }],
  ['changes', { changes: [{ entity: 'Borys', tags: [{ tag: 'status', value: 'Aktywny' }] }] }],
  ['pu', { pu: [{ character: 'Anna', value: 2 }] }],
  ['intel', { intel: [{ target: 'Borys', message: 'Wieść.' }] }],
]

describe('a close-ledger header in another letter case', () => {
  it('closes its session, with its effects and what it meant', async () => {
    const purse =
      '### Korony Anny\n- @typ: Przedmiot\n- @należy_do: Anna\n- @generyczne_nazwy: Korony Elanckie\n- @ilość: 9\n'
    const others = purse.replace('Korony Anny', 'Korony Borysa').replace('do: Anna', 'do: Borys')
    const index = `${files['encje/indeks.md']}\n${purse}\n${others}`
    const texts = closeSessions({ ...files, 'encje/indeks.md': index }, true)
    const [path = '', ledger = ''] = Object.entries(texts).find(([at]) => at.endsWith('ledger.jsonl')) ?? []
    const upper = ledger.replace(closedHeader, `### ${closedHeader.toUpperCase()}`)
    equal(upper === ledger, false)
    const answers = []
    for (const text of [ledger, upper]) {
      const front = await testFront({
        snapshot: worldOf({ ...texts, '.svc/format.json': '{"format": 2}', [path]: text }),
      })
      const open = await front.client.ask('/sessions/open')
      const one = await front.client.ask(`/sessions/${encodeURIComponent(closedHeader)}`)
      const purseOf = await front.client.ask('/entities/Korony%20Anny')
      const findings = await front.client.ask('/sessions/integrity')
      answers.push([open.text, one.text, purseOf.text, findings.text])
      await front.close()
    }
    const [asWritten = [], inCapitals] = answers
    deepEqual(inCapitals, asWritten)
    for (const [at, part] of ['"count":0', '"Closed":true', '"Quantity":5'].entries())
      ok(asWritten[at]?.includes(part), asWritten[at])
  })
})

describe('effects of a closed session', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: world(), callers: { writer: callerWith(['session.write']) } })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? world())
  const ask = async (method: string, path: string, body: object) => {
    const reply = await front.client.ask(path, { method, token: 'writer', body: JSON.stringify(body) })
    ok(isFields(reply.json), reply.text)
    return { status: reply.status, json: reply.json, text: reply.text }
  }
  const patch = (header: string, body: object, query = '') =>
    ask('PATCH', `/sessions/${encodeURIComponent(header)}${query}`, body)
  const isClosed = ({ status, json, text }: Awaited<ReturnType<typeof ask>>): void => {
    deepEqual([status, json['error']], [409, 'SessionClosed'], text)
    deepEqual(texts(), textsOf(world()))
  }

  for (const [field, metadata] of effects) {
    it(`are not changed by PATCH of ${field}, dry or not`, async () => {
      for (const query of ['', '?dryRun=true']) isClosed(await patch(closedHeader, { metadata }, query))
    })
    if (field === 'no transfers') continue
    it(`are not changed by PATCH of ${field} where only the PU are settled`, async () => {
      isClosed(await patch(settledHeader, { metadata }))
      equal((await patch(openHeader, { metadata })).status, 200)
    })
    it(`are not added by POST of ${field} under a closed header`, async () => {
      const [date, title] = goneHeader.split(', ')
      for (const [path, one] of [
        ['/sessions', title],
        ['/workflows/open-session', title],
        ['/sessions', title?.toUpperCase()],
      ] as const)
        isClosed(
          await ask('POST', path, { date, title: one, narrators: ['Solmyr'], file: 'Inne.md', metadata }),
        )
    })
  }

  it('are not changed while a line of a ledger that may close the session cannot be read', async () => {
    const damaged = '{"header":"2026-05-'
    for (const path of ['.svc/close/ledger.jsonl', '.svc/pu/batches.jsonl']) {
      const ledger = textsOf(world())[path] ?? ''
      const at = worldOf({ ...textsOf(world()), [path]: `${ledger}${damaged}\n` })
      await front.close()
      front = await testFront({ snapshot: at, callers: { writer: callerWith(['session.write']) } })
      const line = ledger.split('\n').length
      for (const [, metadata] of effects.filter(([field]) => field !== 'no transfers'))
        for (const query of ['', '?dryRun=true']) {
          const { status, json, text } = await patch(openHeader, { metadata }, query)
          deepEqual([status, json['error'], json['hook']], [422, 'WriteRejected', 'known-closings'], text)
          ok(text.includes(`${path}:${line} cannot be read`), text)
        }
      deepEqual(texts(), textsOf(at))
      const closed = await patch(closedHeader, { metadata: { intel: [{ target: 'Borys', message: 'x' }] } })
      equal(closed.json['error'], 'SessionClosed', 'what a readable line says is known')
      equal((await patch(openHeader, { content: 'Nowy opis.' })).status, 200)
      const metadata = { intel: [{ target: 'Borys', message: 'Wieść.' }] }
      const made = { date: '2026-06-01', title: 'Nowa', narrators: ['Solmyr'], file: 'Inne.md', metadata }
      equal((await ask('POST', '/sessions', made)).status, 201)
    }
  })

  it('stay while prose, places and logs change, or the form of the blocks', async () => {
    for (const body of [
      { content: 'Nowy opis.' },
      { metadata: { logs: ['https://logi.example/1'], locations: ['Erathia'], participants: ['Anna'] } },
      { upgrade: true },
    ])
      deepEqual((await patch(closedHeader, body)).json['changed'], true)
    const same = { transfers: [{ amount: 4, denomination: 'korony', source: 'Anna', destination: 'Borys' }] }
    deepEqual((await patch(closedHeader, { metadata: same })).json['changed'], false)
  })
})
