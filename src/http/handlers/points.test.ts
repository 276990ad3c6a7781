import { deepEqual, equal, ok } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { peopleWorld } from '#test/support/people-world.js'

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

const rowsOf = (json: unknown, name: string): ReadonlyArray<Fields> => {
  const rows = fieldsOf(json)[name]
  ok(Array.isArray(rows))
  return rows.map(fieldsOf)
}

describe('routes of PU', () => {
  let front: TestFront
  before(async () => {
    const own = ['pu.read.own']
    front = await testFront({
      snapshot: peopleWorld(),
      callers: {
        solmyr: callerWith(own, 'Solmyr'),
        zaneta: callerWith(own, 'Żaneta'),
        stray: callerWith(own, null),
        nobody: callerWith(['player.read']),
      },
    })
  })
  after(() => front.close())

  const ask = async (path: string, token?: string) => {
    const reply = await front.client.ask(path, token === undefined ? {} : { token })
    return { status: reply.status, json: fieldsOf(reply.json), text: reply.text }
  }
  const read = async (path: string, token?: string): Promise<Fields> => {
    const { status, json, text } = await ask(path, token)
    equal(status, 200, text)
    return json
  }
  const refused = async (path: string, token: string): Promise<void> => {
    const { status, json } = await ask(path, token)
    deepEqual([status, json['error'], json['required']], [403, 'Forbidden', 'pu.read'], path)
  }

  it('tells each batch once, oldest first', async () => {
    const items = rowsOf(await read('/pu/timeline'), 'items')
    deepEqual(
      items.map(one => [one['date'], one['month'], one['character'], one['granted']]),
      [
        ['2025-12-03', null, null, null],
        ['2026-06-02', '2026-05', null, 4.25],
      ],
    )
  })

  it('credits one Postać with its sum and the exact headers that name it', async () => {
    const [item, ...rest] = rowsOf(await read('/pu/timeline?character=Xeron%20Demonlord'), 'items')
    deepEqual(rest, [])
    deepEqual(
      [item?.['character'], item?.['granted'], item?.['sessions']],
      ['Xeron', 2.75, ['2026-05-10, Most, Solmyr', '2026-05-20, Wieża, Solmyr']],
    )
    const iskra = rowsOf(await read('/pu/timeline?character=Iskra'), 'items')
    deepEqual(
      iskra.map(one => [one['granted'], one['sessions']]),
      [
        [null, ['2025-11-02, Stara sesja, Solmyr']],
        [1.5, ['2026-05-10, Most, Solmyr']],
      ],
    )
    equal((await ask('/pu/timeline?character=Nikt')).status, 404)
  })

  it('tells when sessions were settled, newest first', async () => {
    deepEqual(await read('/pu/history'), {
      count: 2,
      assignments: [
        { date: '2026-06-02', sessions: 2 },
        { date: '2025-12-03', sessions: 1 },
      ],
    })
  })

  it('derives what a new character starts with from every character of the player', async () => {
    deepEqual(await read('/pu/new-character-count?player=sol'), {
      Player: 'Solmyr',
      SumZdobyte: 21.25,
      Startowe: 30,
    })
    for (const [path, parameter] of [
      ['/pu/new-character-count', 'player'],
      ['/pu/new-character-count?player=', 'player'],
      ['/pu/new-character-count?player=+', 'player'],
      ['/pu/timeline?character=', 'character'],
    ] as const) {
      const { status, json } = await ask(path)
      deepEqual([status, json['error'], json['parameter']], [400, 'ParameterInvalid', parameter], path)
    }
    equal((await ask('/pu/new-character-count?player=Nikt')).status, 404)
  })

  it('counts PU above the base and active months of the window', async () => {
    const rows = rowsOf(await read('/elections/eligibility'), 'items')
    deepEqual(rows, [
      { Gracz: 'Odmowny', PuScore: 0, ActiveMonths: 0, Total: 0, Status: 'NIEUPRAWNIONY' },
      { Gracz: 'Solmyr', PuScore: 1.75, ActiveMonths: 1, Total: 2.75, Status: 'NIEUPRAWNIONY' },
      { Gracz: 'Wyciekły', PuScore: 0, ActiveMonths: 0, Total: 0, Status: 'NIEUPRAWNIONY' },
      { Gracz: 'Żaneta', PuScore: 0.8, ActiveMonths: 2, Total: 2.8, Status: 'NIEUPRAWNIONY' },
    ])
  })

  it('holds an own-only caller to their own Postacie and Gracz', async () => {
    const own = rowsOf(await read('/pu/timeline', 'solmyr'), 'items')
    deepEqual(
      own.map(one => [one['granted'], rowsOf(one, 'credits').map(credit => credit['character'])]),
      [[2.75, ['Xeron']]],
    )
    equal((await read('/pu/timeline?character=xeron', 'solmyr'))['count'], 1)
    equal((await read('/pu/new-character-count', 'solmyr'))['Player'], 'Solmyr')
    equal((await read('/pu/new-character-count?player=SOL', 'solmyr'))['Player'], 'Solmyr')
    deepEqual(
      rowsOf(await read('/elections/eligibility', 'zaneta'), 'items').map(one => one['Gracz']),
      ['Żaneta'],
    )
    equal((await read('/pu/history', 'solmyr'))['count'], 2)
  })

  it('refuses what is another’s, unknown or inflected alike', async () => {
    for (const name of ['Iskra', 'Nikt', 'Xerona', 'Solmyr'])
      await refused(`/pu/timeline?character=${name}`, 'solmyr')
    for (const name of ['%C5%BBaneta', 'Nikt', 'Solmyra'])
      await refused(`/pu/new-character-count?player=${name}`, 'solmyr')
  })

  it('refuses an own-only caller who has no Gracz, and one without either capability', async () => {
    for (const path of ['/pu/timeline', '/pu/new-character-count', '/elections/eligibility']) {
      await refused(path, 'stray')
      await refused(path, 'nobody')
    }
  })

  it('gives two own-only callers different validators for one path', async () => {
    const tagOf = async (token: string): Promise<unknown> =>
      (await front.client.ask('/pu/timeline', { token })).headers.etag
    const [first, second] = [await tagOf('solmyr'), await tagOf('zaneta')]
    ok(first !== undefined && first !== second)
  })
})
