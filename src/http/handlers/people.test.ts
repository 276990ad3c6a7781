import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { peopleWorld } from '#test/support/people-world.js'
import { worldOf } from '#test/support/world.js'

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

const itemsOf = (json: unknown): ReadonlyArray<Fields> => {
  const items = fieldsOf(json)['items']
  ok(Array.isArray(items))
  return items.map(fieldsOf)
}

describe('routes of people and characters', () => {
  let front: TestFront
  before(async () => {
    const callers = { reader: callerWith(['player.read']), nobody: callerWith(['entity.read']) }
    front = await testFront({ snapshot: peopleWorld(), callers })
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

  it('lists the people with an open id, retired ranges dropped', async () => {
    const roster = await read('/people')
    deepEqual(
      itemsOf(roster).map(one => one['name']),
      ['Solmyr', 'Żaneta', 'Odmowny', 'Wyciekły'],
    )
    deepEqual(itemsOf(roster)[0], {
      name: 'Solmyr',
      gameId: '12345',
      poprzednieId: ['11111'],
      roles: ['Narrator'],
      status: 'Aktywny',
      chat: ['sesje/solmyr-kanał'],
      tematy: 'gore, tortury',
      alias: ['Sol'],
    })
  })

  it('windows the roster', async () => {
    const page = await read('/people?limit=1&offset=1')
    deepEqual([page['count'], page['total'], itemsOf(page)[0]?.['name']], [1, 4, 'Żaneta'])
  })

  it('keeps restricted topics, key hashes and raw keys from who may not see them', async () => {
    const paths = ['/people', '/people/Solmyr', '/characters/Xeron', '/people/Solmyr/characters']
    for (const path of [...paths, '/contributors/integrity', '/people/channels']) {
      const { status, text } = await ask(path, 'reader')
      equal(status, 200, path)
      doesNotMatch(text, /tortury|Pająki|sha256:a|jawny-klucz/u, path)
      doesNotMatch((await ask(path)).text, /sha256:a|jawny-klucz/u, path)
    }
  })

  it('refuses a caller without player.read', async () => {
    const { status, json } = await ask('/people', 'nobody')
    deepEqual([status, json['error'], json['required']], [403, 'Forbidden', 'player.read'])
  })

  it('counts the channels of listed people and the blocks that are not listed', async () => {
    const census = await read('/people/channels')
    const { count, total, set, declined, missing, unlisted, retired, blocks } = census
    deepEqual(
      { count, total, set, declined, missing, unlisted, retired, blocks },
      { count: 4, total: 4, set: 1, declined: 2, missing: 1, unlisted: 1, retired: 1, blocks: 6 },
    )
    deepEqual(itemsOf(census)[0], {
      name: 'Solmyr',
      channel: 'solmyr-kanał',
      category: 'sesje',
      state: 'set',
    })
  })

  it('counts a further block under a heading that another has among the blocks', async () => {
    const again = '## Gracz\n### Anna\n- @gameid: 1 (2023:)\n### Anna\n- @gameid: 2 (2023:)\n### Bez\n'
    front.serve(worldOf({ '.svc/format.json': '{"format": 2}', 'kontrybutorzy.md': again }))
    try {
      const { total, unlisted, retired, blocks } = await read('/people/channels')
      deepEqual({ total, unlisted, retired, blocks }, { total: 1, unlisted: 2, retired: 0, blocks: 3 })
    } finally {
      front.serve(peopleWorld())
    }
  })

  it('finds a Gracz by heading or alias, case aside, and nobody else', async () => {
    for (const name of ['Solmyr', 'sol', 'SOLMYR']) {
      const gracz = await read(`/people/${name}`)
      deepEqual([gracz['Name'], gracz['Type'], gracz['GameId']], ['Solmyr', 'Gracz', '12345'])
      deepEqual(gracz['Characters'], ['Xeron'])
    }
    const retired = await read('/people/Emeryt')
    deepEqual([retired['Standing'], retired['GameId'], retired['PoprzednieId']], ['retired', null, ['44444']])
    for (const name of ['Nikt', 'Xeron', 'Solmyra']) {
      const { status, json } = await ask(`/people/${name}`)
      deepEqual([status, json['error']], [404, 'PersonNotFound'])
    }
  })

  it('gives the characters of a Gracz, deleted ones only when asked for', async () => {
    const names = async (query: string): Promise<ReadonlyArray<unknown>> =>
      itemsOf(await read(`/people/Solmyr/characters${query}`)).map(one => one['Name'])
    deepEqual(await names(''), ['Xeron'])
    deepEqual(await names('?status=Usuni%C4%99ty'), ['Zmarły'])
    equal((await ask('/people/Solmyr/characters?status=Martwy')).status, 400)
    equal((await ask('/people/Nikt/characters')).status, 404)
  })

  it('gives the channel pair, null when declined or unset', async () => {
    deepEqual(await read('/people/Sol/chat-channel'), {
      name: 'Solmyr',
      channel: 'solmyr-kanał',
      category: 'sesje',
    })
    for (const name of ['Odmowny', 'Żaneta'])
      deepEqual(await read(`/people/${encodeURIComponent(name)}/chat-channel`), {
        name,
        channel: null,
        category: null,
      })
    equal((await ask('/people/Nikt/chat-channel')).status, 404)
  })

  it('joins block, file and PU of a Postać', async () => {
    const xeron = await read('/characters/Xeron%20Demonlord')
    deepEqual(
      [xeron['Name'], xeron['Type'], xeron['Owner'], xeron['Groups'], xeron['Location'], xeron['Status']],
      ['Xeron', 'Postać', 'Solmyr', ['Straż'], 'Nighon', 'Aktywny'],
    )
    deepEqual(
      [xeron['PuStartowe'], xeron['PuSuma'], xeron['PuZdobyte'], xeron['PuNadmiar']],
      [20, 31.25, 11.25, 0.5],
    )
    deepEqual(xeron['Reputation'], {
      Positive: [{ Location: 'Eeofol', Detail: 'obrona' }],
      Neutral: [],
      Negative: [],
    })
    deepEqual(
      [xeron['CharacterSheet'], xeron['Condition'], xeron['RestrictedTopics'], xeron['SpecialItems']],
      ['https://karty.example/xeron', 'Zdrowy.', 'Pająki', ['Miecz']],
    )
    deepEqual(xeron['DescribedSessions'], [{ Date: '2026-05-10', Title: 'Most', Narrator: 'Anna' }])
    ok(!('Doors' in xeron) && !('Coordinates' in xeron))
  })

  it('reads a Postać as of a day', async () => {
    const then = await read('/characters/Xeron?activeOn=2024-04-01')
    equal(then['Condition'], 'Ranny')
    equal((await ask('/characters/Xeron?activeOn=kiedys')).status, 400)
  })

  it('tells where the characters of a player are', async () => {
    const { status, json } = await ask(`/characters/${encodeURIComponent('żaneta')}`)
    deepEqual([status, json['error']], [404, 'CharacterNotFound'])
    equal(json['see'], `/people/${encodeURIComponent('Żaneta')}/characters`)
    const unknown = await ask('/characters/Nighon')
    deepEqual([unknown.status, unknown.json['see']], [404, null])
    equal((await ask('/characters/Solmyr/info')).status, 404)
  })

  it('gives the entries of the character file as they stand', async () => {
    deepEqual(await read('/characters/Xeron/info'), {
      character: 'Xeron',
      file: 'Postaci/Gracze/Xeron.md',
      count: 2,
      items: ['Ma bliznę.', 'Zna smoki.'],
    })
    deepEqual(await read('/characters/Iskra/info'), { character: 'Iskra', file: null, count: 0, items: [] })
  })

  it('answers 200 with the findings of the store, their lines and severities', async () => {
    const found = itemsOf(await read('/contributors/integrity'))
    deepEqual(
      found.map(one => [one['Kind'], one['Severity'], one['Subject'], one['Line']]),
      [
        ['MissingGameId', 'Warning', 'Bezimienny', 20],
        ['RawApiKeyValue', 'Error', 'Wyciekły', 25],
        ['UnknownRole', 'Warning', 'Żaneta', 14],
        ['MissingChat', 'Warning', 'Żaneta', 12],
      ],
    )
  })
})
