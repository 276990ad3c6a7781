import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { capabilities } from '#protocol/atoms.js'
import { routes } from '#protocol/routes.js'
import { viewOf } from '#src/domain/identity/grade.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const guess = 'Tematy zastrzeżone: pająki'
const near = 'Tematy zastrzeżone: pająk'
const wrong = 'Tematy zastrzeżone: węże'

/** Blocks whose other spellings are topics of their players, indented or tagged wrongly by a person. */
const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `## Gracz\n### Łucja\n- @gameid: 1\n- @alias: ${guess}\n`,
  'encje/indeks.md': [
    `### Żbik\n- @typ: Postać\n- @należy_do: Łucja\n- @alias: ${guess}\n- @generyczne_nazwy: ${guess}`,
    `### Osada\n- @typ: Lokacja\n- @nick: ${guess}`,
    `### Straż\n- @typ: Grupa\n- @alias: ${guess}`,
    `### Wit\n- @typ: NPC\n- @grupa: ${guess}\n- @lokacja: ${guess}`,
    '### Pająki\n- @typ: NPC\n',
  ].join('\n\n'),
  'sesje/2026.md': [
    '### 2026-05-20, Wieża, Narr\n\nŻbik był w Osadzie.\n\n- @Uczestnicy: Żbik\n',
    '### 2026-05-21, Port, Narr\n\nTekst.\n\n- Tematy zastrzeżone: Pająki\n\n- @Efekty:\n    - Tematy zastrzeżone: Pająki\n',
  ].join('\n'),
})

const withoutTopics = capabilities.filter(one => !viewOf(new Set([one])).mayReadRestricted)

/** The rows that find a block by a name that the caller sends. */
const targets: ReadonlyArray<(name: string) => string> = [
  name => `/entities/${name}`,
  name => `/entities/${name}/sessions`,
  name => `/entities?name=${name}`,
  name => `/entities?group=${name}`,
  name => `/entities?location=${name}`,
  name => `/sessions?entity=${name}`,
  name => `/sessions/summary?entity=${name}`,
  name => `/sessions?narrator=${name}`,
  name => `/sessions/open?narrator=${name}`,
  name => `/sessions/narrator/${name}/profile`,
  name => `/people/${name}`,
  name => `/characters/${name}`,
  name => `/locations/${name}`,
  name => `/locations?parent=${name}`,
  name => `/maps/${name}`,
  name => `/audit/notifications?target=${name}`,
  name => `/pu/timeline?character=${name}`,
  name => `/pu/new-character-count?player=${name}`,
]

describe('a restricted topic in a spelling', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world, callers: { reader: callerWith(withoutTopics) } })
  })
  after(() => front.close())

  /** The status, and the answer without the name that was asked for. */
  const ask = async (target: (name: string) => string, name: string): Promise<unknown> => {
    const { status, json, text } = await front.client.ask(target(encodeURIComponent(name)), {
      token: 'reader',
    })
    ok(status < 500, text)
    const { detail: _, narrator: __, ...rest } = isFields(json) ? json : {}
    return { status, ...rest }
  }

  for (const target of targets)
    it(`is not confirmed by ${target('…')}`, async () => {
      const none = await ask(target, wrong)
      deepEqual(await ask(target, guess), none)
      deepEqual(await ask(target, near), none)
    })

  it('lists no session under a block that only a restricted topic names', async () => {
    for (const path of ['/entities/Paj%C4%85ki/sessions', '/sessions?entity=Paj%C4%85ki']) {
      const { json } = await front.client.ask(path, { token: 'reader' })
      equal(isFields(json) ? json.count : null, 0, path)
    }
  })
})

/** Topics as a person may write them among the places, the participants and the further parts of a session. */
const titles = [
  'Zastrzeżone tematy: Utopce',
  'Tematów zastrzeżonych: Utopce',
  'Tematy / zastrzeżone -> Utopce',
  'T e m a t y zastrzeżone: Utopce',
  'Теmаtу zаѕtrzеżоnе: Utopce',
  'Tematy\n    - zastrzeżone: Utopce',
]

const told = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Narr\n- @gameid: 1\n',
  'encje/indeks.md': ['### Osada\n- @typ: Lokacja\n', '### Żbik\n- @typ: Postać\n- @należy_do: Narr\n'].join(
    '\n',
  ),
  'sesje/2026.md': titles
    .map((title, at) =>
      [
        `### 2026-05-${10 + at}, Wieża, Narr`,
        'Żbik był w Osadzie.',
        `- @Lokacje:\n    - Osada\n    - ${title}\n    - Port`,
        `- @Uczestnicy:\n    - Żbik\n    - ${title}`,
        `- @PU:\n    - ${title}: 2`,
        `- @Zmiany:\n    - ${title.replace('\n    - ', ' ')}\n        - @stan: Ranny`,
        `- @Intel:\n    - ${title.replace('\n    - ', ' ').replaceAll('/', '')}: coś`,
        `- @Własne:\n    - ${title}`,
      ].join('\n\n'),
    )
    .join('\n\n'),
})

describe('restricted topics among the items of a session', () => {
  let front: TestFront
  before(async () => {
    const callers = { reader: callerWith(withoutTopics), seer: callerWith([...capabilities]) }
    front = await testFront({ snapshot: told, callers })
  })
  after(() => front.close())

  const paths = [
    ...Object.values(routes).flatMap(({ method, path }) =>
      method === 'GET' && !path.includes('{') && path !== '/events' ? [path] : [],
    ),
    ...titles.map((_, at) => `/sessions/${encodeURIComponent(`2026-05-${10 + at}, Wieża, Narr`)}`),
    '/sessions/narrator/Narr/profile',
    ...['Osada', 'Żbik'].flatMap(name =>
      ['', '/sessions', '/history', '/timeline'].map(part => `/entities/${encodeURIComponent(name)}${part}`),
    ),
  ]

  it('are in no answer of a row to a caller who may not read them, and the other items are', async () => {
    const telling: Array<string> = []
    for (const path of paths) {
      const { text } = await front.client.ask(path, { token: 'reader' })
      const at = text.search(/utopce/iu)
      if (at >= 0) telling.push(`${path}: ${text.slice(Math.max(0, at - 80), at + 20)}`)
    }
    deepEqual(telling, [])
    const { text } = await front.client.ask('/sessions', { token: 'reader' })
    for (const kept of ['Osada', 'Port', 'Żbik']) ok(text.includes(kept), kept)
    ok((await front.client.ask('/sessions', { token: 'seer' })).text.includes('Utopce'))
  })
})
