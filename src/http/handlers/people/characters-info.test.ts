import { deepEqual, equal, ok } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const path = 'Postaci/Gracze/Xeron.md'
const base = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md':
    '### Xeron\n- @typ: Postać\n- @należy_do: Solmyr\n\n### Inna\n- @typ: Postać\n- @należy_do: Kilgor\n',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kilgor\n- @gameid: 2\n',
}
const head = '**Stan:**\nZdrowy.  \n\n'
const tail =
  '\n**Opisane sesje:**\n\n### 2025-01-15, Sesja, Solmyr\nTreść **Dodatkowe informacje:** nie tu.\n'
const section = (lines: string): string => `${head}**Dodatkowe informacje:**\n${lines}${tail}`
const full = section('* Ma bliznę.\n    po bitwie\n* Zna port.\n')

describe('writes of the entries of a Postać', () => {
  let front: TestFront | null = null
  const serve = async (text: string | null) => {
    const files = text === null ? base : { ...base, [path]: text }
    const callers = {
      writer: callerWith(['player.write']),
      solmyr: callerWith(['player.write.own'], 'Solmyr'),
    }
    front = await testFront({ snapshot: worldOf(files), callers })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })

  const ask = (served: TestFront, method: string, body: object, target = '/characters/Xeron/info') =>
    served.client.ask(target, { method, token: 'solmyr', body: JSON.stringify(body) })
  const textOf = (served: TestFront) => textsOf(served.world() ?? worldOf(base))[path]

  const cases: ReadonlyArray<readonly [string, string | null, string, object, string]> = [
    ['appends', full, 'POST', { text: 'Nowe.' }, full.replace('* Zna port.\n', '* Zna port.\n* Nowe.\n')],
    ['changes', full, 'PUT', { match: 'Zna port.', text: 'Zna las.' }, full.replace('port', 'las')],
    [
      'changes an entry of two lines',
      full,
      'PUT',
      { match: 'Ma bliznę.\npo bitwie', text: 'Jest cała.' },
      full.replace('* Ma bliznę.\n    po bitwie\n', '* Jest cała.\n'),
    ],
    ['removes', full, 'DELETE', { match: 'Zna port.' }, full.replace('* Zna port.\n', '')],
    ['takes the place of none', section('- Brak.\n'), 'POST', { text: 'Nowe.' }, section('- Nowe.\n')],
    ['fills an empty section', section(''), 'POST', { text: 'Nowe.' }, section('- Nowe.\n')],
    ['leaves the word for none', section('- Stare.\n'), 'DELETE', { match: 'Stare.' }, section('- Brak.\n')],
    [
      'takes none off the header',
      `${head}**Dodatkowe informacje:** Brak.\n`,
      'POST',
      { text: 'Nowe.' },
      `${head}**Dodatkowe informacje:**\n- Nowe.\n`,
    ],
    ['puts in a missing section', `${head}${tail.slice(1)}`, 'POST', { text: 'Nowe.' }, section('- Nowe.\n')],
    [
      'appends a missing section',
      '**Stan:**\nZdrowy.',
      'POST',
      { text: 'Nowe.' },
      '**Stan:**\nZdrowy.\n\n**Dodatkowe informacje:**\n- Nowe.\n',
    ],
  ]
  for (const [what, before, method, body, after] of cases)
    for (const newline of ['\n', '\r\n'])
      it(`${what}, ${newline === '\n' ? 'LF' : 'CRLF'}`, async () => {
        const served = await serve(before?.replaceAll('\n', newline) ?? null)
        const dry = await ask(served, method, body, '/characters/Xeron/info?dryRun=true')
        ok(dry.status === 200 && dry.text.includes('"wouldUpdate":"Xeron"'), dry.text)
        equal(textOf(served), before?.replaceAll('\n', newline))
        const reply = await ask(served, method, body)
        equal(reply.status, 200, reply.text)
        equal(textOf(served), after.replaceAll('\n', newline))
        const items: unknown = Reflect.get(Object(reply.json), 'items')
        const read = await served.client.ask('/characters/Xeron/info')
        deepEqual(Reflect.get(Object(read.json), 'items'), items)
      })

  it('makes a file that is missing, in the form of a new one', async () => {
    const served = await serve(null)
    const reply = await ask(served, 'POST', { text: 'Nowe.' })
    deepEqual(reply.json, { character: 'Xeron', file: path, changed: true, count: 1, items: ['Nowe.'] })
    ok(textOf(served)?.startsWith('**Karta Postaci:**\n') === true)
    ok(textOf(served)?.includes('**Dodatkowe informacje:**\n- Nowe.\n\n**Opisane sesje:**') === true)
  })

  it('changes nothing where all is as wanted', async () => {
    const served = await serve(full)
    for (const [method, body] of [
      ['POST', { text: ' Zna port. ' }],
      ['PUT', { match: 'Zna port.', text: 'Zna port.' }],
    ] as const)
      equal(Reflect.get(Object((await ask(served, method, body)).json), 'changed'), false)
    equal(textOf(served), full)
  })

  it('names the entries of now where one was changed meanwhile', async () => {
    const served = await serve(full)
    for (const [method, body] of [
      ['PUT', { match: 'Zna las.', text: 'x' }],
      ['DELETE', { match: '' }],
    ] as const) {
      const { status, json } = await ask(served, method, body)
      deepEqual([status, Reflect.get(Object(json), 'error')], [409, 'MatchStale'])
      deepEqual(Reflect.get(Object(json), 'current'), ['Ma bliznę.\npo bitwie', 'Zna port.'])
    }
    equal(textOf(served), full)
  })

  for (const text of ['', 'Brak.', '- brak', '@pu_suma: 999', 'a\nb', 'a\n**Stan:** x', '\u2028', 'a\u0007'])
    it(`refuses the text ${JSON.stringify(text)}`, async () => {
      const served = await serve(full)
      for (const [method, body] of [
        ['POST', { text }],
        ['PUT', { match: 'Zna port.', text }],
      ] as const) {
        const { status, json } = await ask(served, method, body)
        deepEqual([status, Reflect.get(Object(json), 'error')], [422, 'ValueRefused'])
      }
      equal(textOf(served), full)
    })

  it('refuses where a fence swallows the entry, and a file that is not UTF-8', async () => {
    const fenced = await serve('**Stan:**\n```\n')
    equal((await ask(fenced, 'POST', { text: 'Nowe.' })).status, 422)
    await fenced.close()
    const served = await serve(full)
    const world = served.world() ?? worldOf(base)
    const file = world.files.get(path)
    if (file === undefined) throw new Error('no file')
    served.serve({ ...world, files: new Map([...world.files, [path, { ...file, undecodable: true }]]) })
    for (const [method, body] of [
      ['POST', { text: 'Nowe.' }],
      ['PUT', { match: 'Zna port.', text: 'x' }],
      ['DELETE', { match: 'Zna port.' }],
    ] as const)
      equal((await ask(served, method, body)).status, 422)
  })

  for (const [name, token, status, error] of [
    ['Inna', 'solmyr', 403, 'Forbidden'],
    ['Nikt', 'solmyr', 403, 'Forbidden'],
    ['Nikt', 'writer', 404, 'CharacterNotFound'],
    ['Solmyr', 'writer', 404, 'CharacterNotFound'],
  ] as const)
    it(`${token} is refused at ${name}: ${status} ${error}`, async () => {
      const served = await serve(full)
      for (const [method, body] of [
        ['POST', { text: 'Nowe.' }],
        ['PUT', { match: 'Zna port.', text: 'x' }],
        ['DELETE', { match: 'Zna port.' }],
      ] as const) {
        const target = `/characters/${name}/info`
        const reply = await served.client.ask(target, { method, token, body: JSON.stringify(body) })
        deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [status, error])
      }
    })
})

const closed = section(
  [
    '- Zna port.',
    '- Pływa.',
    '    - @tematy_zastrzezone: pająki',
    '- Tematy zastrzeżone: węże',
    '- @klucz_api: sha256:tajne',
    '- Ma psa.',
    '',
  ].join('\n'),
)

describe('entries that a writer may not read', () => {
  const writers = {
    solmyr: callerWith(['player.read', 'player.write.own'], 'Solmyr'),
    topics: callerWith(['player.read', 'player.write', 'player.restricted.read']),
  }
  const inFront = async (look: (front: TestFront) => Promise<void>) => {
    const front = await testFront({ snapshot: worldOf({ ...base, [path]: closed }), callers: writers })
    try {
      await look(front)
    } finally {
      await front.close()
    }
  }
  const ask = async (front: TestFront, token: keyof typeof writers, method: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const { status, text, json } = await front.client.ask('/characters/Xeron/info', {
      method,
      token,
      ...sent,
    })
    return { status, text, of: (key: string): unknown => Reflect.get(Object(json), key) }
  }
  const textOf = (front: TestFront) => textsOf(front.world() ?? worldOf(base))[path]

  it('are in no answer of a write, as in no answer of a read', () =>
    inFront(async front => {
      for (const token of ['solmyr', 'topics'] as const) {
        const items = (await ask(front, token, 'GET')).of('items')
        const stale = await ask(front, token, 'DELETE', { match: 'Nikt' })
        deepEqual([stale.status, stale.of('current')], [409, items])
        const same = await ask(front, token, 'POST', { text: 'Ma psa.' })
        deepEqual([same.of('changed'), same.of('items')], [false, items])
      }
      const added = await ask(front, 'solmyr', 'POST', { text: 'Nowe.' })
      deepEqual(added.of('items'), ['Zna port.', 'Pływa.', 'Ma psa.', 'Nowe.'])
      deepEqual((await ask(front, 'solmyr', 'GET')).of('items'), added.of('items'))
      const all = await ask(front, 'topics', 'POST', { text: 'Drugie.' })
      ok(all.text.includes('pająki') && all.text.includes('węże') && !all.text.includes('tajne'), all.text)
      equal(textOf(front), closed.replace('- Ma psa.\n', '- Ma psa.\n- Nowe.\n- Drugie.\n'))
    }))

  it('stay as they are, and do not tell whether a guess is right', () =>
    inFront(async front => {
      const guesses = [
        'Pływa.\n- @tematy_zastrzezone: pająki',
        'Tematy zastrzeżone: węże',
        '@klucz_api: sha256:tajne',
      ]
      for (const match of ['Pływa.', ...guesses])
        for (const [method, body] of [
          ['PUT', { match, text: 'x' }],
          ['DELETE', { match }],
        ] as const) {
          const { status, of } = await ask(front, 'solmyr', method, body)
          deepEqual([status, of('error')], [409, 'MatchStale'])
          equal(String(of('detail')).includes('player.restricted.read'), match === 'Pływa.')
        }
      equal(textOf(front), closed)
    }))

  it('are changed by a writer who may read them', () =>
    inFront(async front => {
      const { status, text } = await ask(front, 'topics', 'DELETE', { match: 'Tematy zastrzeżone: węże' })
      equal(status, 200, text)
      equal(textOf(front), closed.replace('- Tematy zastrzeżone: węże\n', ''))
    }))
})
