import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const apostrophes = ['\u2019', '\u02bc', '\u2032', '\u00b4', '\uff07', '`', '\u2018', '\u02b9']
const hyphens = ['\u2010', '\u2011', '\u2012', '\u2013', '\u2212', '\uff0d']
const unseen = [
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\u00ad', '\ufeff', '\u200e', '\u200f'],
  ...['\u202a', '\u2066', '\u061c', '\u180e', '\u034f', '\ufe0f'],
]

const index = `### O'Braz
- @typ: Postać
- @należy_do: D'Arc
- @alias: Torek-Zdrojek

### Grab
- @typ: NPC
- @należy_do: O'Braz

### Inny
- @typ: Postać
- @należy_do: D'Arc
`
const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': "## Gracz\n### D'Arc\n- @gameid: 1\n- @chat: BRAK\n- @alias: Jean-Luc\n",
  'encje/indeks.md': index,
  'Postaci/Gracze/O\u2019Braz.md': '**Stan:** Ranny.\n',
  'sesje/2026.md': "### 2026-01-02, Bal u O'Braza, Wit\n\n- @PU:\n    - O'Braz: 1\n",
}

/** Each spelling with the plain name that it is read as. */
const spellings: ReadonlyArray<readonly [written: string, name: string, heading: string]> = [
  ...apostrophes.map(sign => [`O${sign}Braz`, "O'Braz", "O'Braz"] as const),
  ...hyphens.map(sign => [`Torek${sign}Zdrojek`, 'Torek-Zdrojek', "O'Braz"] as const),
  ...unseen.map(sign => [`${sign}Gr${sign}ab${sign}`, 'Grab', 'Grab'] as const),
]
const shown = (text: string): string =>
  text.replace(/[^ -~]/gu, sign => `U+${sign.codePointAt(0)?.toString(16)}`)

describe('signs in names', () => {
  let front: TestFront | null = null
  const serve = async (more: Readonly<Record<string, string>> = {}) => {
    front = await testFront({ snapshot: worldOf({ ...files, ...more }) })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })

  const ask = async (served: TestFront, method: string, path: string, body?: object) =>
    served.client.ask(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const indexOf = (served: TestFront) =>
    textsOf(served.world() ?? worldOf(files))['encje/indeks.md'] ?? 'no index'
  const url = encodeURIComponent

  for (const [written, name, heading] of spellings)
    it(`${shown(written)} is ${name} in paths and in every write`, async () => {
      const served = await serve()
      const found = await ask(served, 'GET', `/entities/${url(written)}`)
      deepEqual([found.status, jsonField(found.json, 'Name')], [200, heading])
      const resolved = await ask(served, 'POST', '/resolve', { name: written })
      equal(jsonField(resolved.json, 'name'), heading)

      const refused = [
        await ask(served, 'POST', '/entities', { name: written, type: name === 'Grab' ? 'NPC' : 'Postać' }),
        await ask(served, 'POST', '/entities/Inny/name', { name: written }),
        await ask(served, 'PATCH', '/entities/Inny', { tag: 'alias', value: written }),
        await ask(served, 'POST', '/normalization/aliases/accept', { surface: written, name: 'Inny' }),
      ].slice(0, name === 'Grab' ? 2 : 4)
      for (const { status } of refused) ok([409, 422].includes(status), `${status}`)
      equal(indexOf(served), index)

      const patched = await ask(served, 'PATCH', `/entities/${url(written)}`, { tag: 'info', value: 'x' })
      deepEqual([patched.status, jsonField(patched.json, 'updated')], [200, heading])
      equal(indexOf(served).split('- @info: x').length, 2)
    })

  it('a taken name is 409 and names the block that has it', async () => {
    const served = await serve()
    const made = await ask(served, 'POST', '/entities', { name: 'O\u2019Braz', type: 'Postać' })
    deepEqual([made.status, jsonField(made.json, 'error')], [409, 'NameTaken'])
    const alias = await ask(served, 'POST', '/entities/Inny/name', { name: 'torek\u2013zdrojek' })
    deepEqual([alias.status, jsonField(alias.json, 'error')], [409, 'NameTaken'])
  })

  it('a block with a typographic heading is read by the plain name, keeps its file, and can be mended', async () => {
    const served = await serve({ 'encje/indeks.md': index.replaceAll("O'Braz", 'O\u2019Braz') })
    const found = await ask(served, 'GET', "/entities/O'Braz")
    deepEqual([found.status, jsonField(found.json, 'Name')], [200, 'O\u2019Braz'])
    equal((await ask(served, 'POST', '/entities', { name: "O'Braz", type: 'Postać' })).status, 409)
    const character = await ask(served, 'GET', "/characters/O'Braz/info")
    deepEqual([character.status, jsonField(character.json, 'file')], [200, 'Postaci/Gracze/O\u2019Braz.md'])
    const renamed = await ask(served, 'POST', "/entities/O'Braz/name", { name: "O'Braz" })
    deepEqual([renamed.status, jsonField(renamed.json, 'renamed')], [200, "O'Braz"])
    equal(indexOf(served), index)
  })

  it('a group that a block has is not added a second time, and is removed, in another spelling', async () => {
    const text = "### Grab\n- @typ: NPC\n- @grupa: O'Braz\n"
    const served = await serve({ 'encje/indeks.md': text })
    const again = await ask(served, 'PATCH', '/entities/Grab', { tag: 'grupa', value: 'O\u2019Braz' })
    deepEqual([again.status, jsonField(again.json, 'changed')], [200, false])
    const removal = { tag: 'grupa', value: 'O\u02bcBraz', remove: true }
    equal((await ask(served, 'PATCH', '/entities/Grab', removal)).status, 200)
    match(indexOf(served), /^### Grab\n- @typ: NPC\n(?:- @grupa: O'Braz \(:[\d-]+\)\n)?$/u)
  })

  it('a person, a session and PU are found in another spelling', async () => {
    const served = await serve()
    const person = await ask(served, 'GET', `/people/${url('D\u2019Arc')}`)
    deepEqual([person.status, jsonField(person.json, 'Name')], [200, "D'Arc"])
    equal((await ask(served, 'GET', `/people/${url('Jean\u2011Luc')}`)).status, 200)
    const session = await ask(
      served,
      'GET',
      `/sessions/${url('2026\u201001-02, Bal u O\u2019Bra\u00adza, Wit')}`,
    )
    deepEqual([session.status, jsonField(session.json, 'Header')], [200, "2026-01-02, Bal u O'Braza, Wit"])
  })
})

describe('findings about signs in names', () => {
  const findings = async (path: string, more: Readonly<Record<string, string>>) => {
    const front = await testFront({ snapshot: worldOf({ ...files, ...more }) })
    const { json } = await front.client.ask(path)
    await front.close()
    const items: unknown = jsonField(json, 'items')
    ok(Array.isArray(items))
    return items
      .filter(one => jsonField(one, 'Kind') === 'NameSign')
      .map(one =>
        ['Severity', 'Subject', 'File', 'Line', 'Detail', 'Suggestion'].map(key => jsonField(one, key)),
      )
  }

  it('are none for plain names, dashes between blanks and quotes', async () => {
    const text = `${index}\n### Torek „Kruk” Zdrojek\n- @typ: NPC\n- @lokacja: Las – Bór\n- @info: O’x\n`
    deepEqual(await findings('/entities/integrity', { 'encje/indeks.md': text }), [])
    deepEqual(await findings('/sessions/integrity', {}), [])
    deepEqual(await findings('/contributors/integrity', {}), [])
  })

  it('name the line, the sign and the plain spelling of headings, spellings and references', async () => {
    const text =
      '### O\u2019Braz\n- @typ: NPC\n- @alias: Gr\u200bab\n- @generyczne_nazwy: Wit, Mag\u2011Kruk\n- @lokacja: Bór`x\n'
    const at = 'encje/indeks.md'
    deepEqual(await findings('/entities/integrity', { [at]: text }), [
      ['Warning', 'O’Braz', at, 1, "Nazwa „O’Braz” ma znak U+2019 zamiast „'”.", "Zapisz „O'Braz”."],
      [
        'Warning',
        'O’Braz',
        at,
        3,
        'Nazwa „Grab” ma niewidoczny znak U+200B, który jest pomijany.',
        'Zapisz „Grab”.',
      ],
      ['Warning', 'O’Braz', at, 4, 'Nazwa „Mag‑Kruk” ma znak U+2011 zamiast „-”.', 'Zapisz „Mag-Kruk”.'],
      ['Warning', 'O’Braz', at, 5, "Nazwa „Bór`x” ma znak U+0060 zamiast „'”.", "Zapisz „Bór'x”."],
    ])
  })

  it('name people and their spellings', async () => {
    const store = '## Gracz\n### D\u2019Arc\n- @gameid: 1\n- @chat: BRAK\n- @alias: J\u00adan\n'
    const at = 'kontrybutorzy.md'
    deepEqual(await findings('/contributors/integrity', { [at]: store }), [
      ['Warning', 'D’Arc', at, 2, "Nazwa „D’Arc” ma znak U+2019 zamiast „'”.", "Zapisz „D'Arc”."],
      [
        'Warning',
        'D’Arc',
        at,
        5,
        'Nazwa „Jan” ma niewidoczny znak U+00AD, który jest pomijany.',
        'Zapisz „Jan”.',
      ],
    ])
  })

  it('name the lines of a session', async () => {
    const header = '2026-01-02, Bal, Wi\u200bt'
    const text = `### ${header}\n\n- @PU:\n    - O\u2019Braz: 1\n- @Zmiany:\n    - Gr\u2060ab\n        - @stan: x\n`
    const at = 'sesje/2026.md'
    deepEqual(
      (await findings('/sessions/integrity', { [at]: text })).map(([, subject, file, line, detail]) => [
        subject,
        file,
        line,
        detail,
      ]),
      [
        [header, at, 1, 'Nazwa „Wit” ma niewidoczny znak U+200B, który jest pomijany.'],
        [header, at, 4, "Nazwa „O’Braz” ma znak U+2019 zamiast „'”."],
        [header, at, 6, 'Nazwa „Grab” ma niewidoczny znak U+2060, który jest pomijany.'],
      ],
    )
  })
})

describe('U+FFFD in a write', () => {
  const writes: ReadonlyArray<readonly [what: string, method: string, path: string, body: object]> = [
    ['a heading', 'POST', '/entities', { name: 'Wi\ufffdt', type: 'NPC' }],
    ['a value of a new block', 'POST', '/entities', { name: 'Wit', type: 'NPC', tags: { info: '\ufffd' } }],
    ['a value', 'PATCH', '/entities/Grab', { tag: 'info', value: 'x\ufffd' }],
    ['a reference', 'PATCH', '/entities/Grab', { tag: 'lokacja', value: 'B\ufffdr' }],
    ['a new heading', 'POST', '/entities/Grab/name', { name: 'Gr\ufffdb' }],
    ['an alias', 'POST', '/normalization/aliases/accept', { surface: 'Gr\ufffdb', name: 'Grab' }],
    ['a place', 'POST', '/locations', { name: 'L\ufffds' }],
    ['a map', 'POST', '/maps', { name: 'Las', koordynaty: '1\ufffd2' }],
    ['a Postać', 'POST', '/characters', { name: '\ufffdwit', tags: { należy_do: "D'Arc" } }],
    ['an entry of a Postać', 'POST', '/characters/Inny/info', { text: 'Zna l\ufffds.' }],
    ['the prose of a session', 'PATCH', "/sessions/2026-01-02, Bal u O'Braza, Wit", { content: 'l\ufffds' }],
    [
      'a title',
      'POST',
      '/sessions',
      { file: 'sesje/2026.md', date: '2026-05-01', title: 'B\ufffd', narrators: ['W'] },
    ],
    [
      'a file',
      'POST',
      '/sessions',
      { file: 'sesje/\ufffd.md', date: '2026-05-01', title: 'B', narrators: ['W'] },
    ],
    [
      'a line of a session',
      'PATCH',
      "/sessions/2026-01-02, Bal u O'Braza, Wit",
      { metadata: { intel: [{ target: 'Inny', message: '\ufffd' }] } },
    ],
    ['a permission', 'PATCH', "/governance/permissions/D'Arc", { magia: 'pe\ufffdna' }],
    ['the name of a token', 'POST', '/tokens', { name: 'b\ufffdt', capabilities: ['entity.read'] }],
  ]
  for (const [what, method, path, body] of writes)
    it(`is refused in ${what}`, async () => {
      const front = await testFront({ snapshot: worldOf(files) })
      const before = JSON.stringify(textsOf(front.world() ?? worldOf(files)))
      const answer = await front.client.ask(encodeURI(path), { method, body: JSON.stringify(body) })
      deepEqual(
        [answer.status, answer.text.includes('U+FFFD')],
        what === 'the name of a token' ? [400, false] : [422, what !== 'a file'],
        answer.text,
      )
      equal(JSON.stringify(textsOf(front.world() ?? worldOf(files))), before)
      await front.close()
    })

  it('is no reason against the removal of what is there, nor against a better heading', async () => {
    const text = '### Gr\ufffdb\n- @typ: NPC\n- @info: l\ufffds\n'
    const front = await testFront({ snapshot: worldOf({ ...files, 'encje/indeks.md': text }) })
    const ask = (method: string, path: string, body: object) =>
      front.client.ask(path, { method, body: JSON.stringify(body) })
    const path = `/entities/${encodeURIComponent('Gr\ufffdb')}`
    equal((await ask('PATCH', path, { tag: 'info', value: 'l\ufffds', remove: true })).status, 200)
    equal((await ask('POST', `${path}/name`, { name: 'Grab' })).status, 200)
    equal(
      textsOf(front.world() ?? worldOf(files))['encje/indeks.md'],
      '### Grab\n- @typ: NPC\n- @alias: Gr\ufffdb\n',
    )
    await front.close()
  })
})
