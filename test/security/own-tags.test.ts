import { deepEqual, equal, ok } from 'node:assert/strict'
import { ownTags } from '#protocol/lore/people.js'
import { tagsOfType, universalTags } from '#src/domain/lore/tag-schema.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Odo\n- @gameid: 1\n### Łucja\n- @gameid: 2\n',
  'encje/indeks.md': [
    '### Skarbiec\n- @typ: Grupa\n',
    '### Żbik\n- @typ: Postać\n- @należy_do: Łucja\n- @grupa: Skarbiec (2020:)\n',
    '### Wilk\n- @typ: Postać\n- @należy_do: Odo\n- @stan: Zdrowy. (2024-01:)\n',
  ].join('\n'),
  'sesje/2026.md':
    '### 2026-05-20, Wieża, Narr\n\nTekst.\n\n- @Intel:\n    - Grupa/Skarbiec: Klucz leży pod progiem.\n',
}

/** Values that the rule of each tag takes, where any text is not one. */
const values: Readonly<Record<string, string>> = {
  alias: 'Szary',
  plik: 'Dokumenty/Wilk.md',
  karta_postaci: 'https://karty.example/wilk',
}

describe('SECURITY 4.4.54 the tags that a player writes of their own Postacie', () => {
  let front: TestFront
  beforeEach(async () => {
    const odo = callerWith(['player.write.own'], 'Odo')
    front = await testFront({ snapshot: worldOf(files), callers: { odo } })
  })
  afterEach(() => front.close())

  const ask = (method: string, path: string, body: object) =>
    front.client.ask(encodeURI(path), { method, body: JSON.stringify(body), token: 'odo' })
  const index = (): string => textsOf(front.world() ?? worldOf(files))['encje/indeks.md'] ?? ''
  const told = async (): Promise<boolean> =>
    (await front.client.ask('/audit/notifications')).text.includes('"Wilk"')

  const refused = async (method: string, path: string, body: object, word: string): Promise<void> => {
    const { status, json, text } = await ask(method, path, body)
    ok(isFields(json), text)
    deepEqual([status, json['error'], json['required']], [403, 'Forbidden', 'player.write'], text)
    ok(String(json['detail']).includes(word), text)
    equal(index(), files['encje/indeks.md'])
  }

  it('a group that is joined backwards is refused, and its earlier Intel reaches nobody new', async () => {
    const grupa = { tag: 'grupa', value: 'Skarbiec', from: '2020-01' }
    await refused('PATCH', '/characters/Wilk', grupa, '@grupa')
    await refused('PATCH', '/characters/Wilk?dryRun=true', grupa, '@grupa')
    const tags = { należy_do: 'Odo', '@Grupa': 'Skarbiec' }
    await refused('POST', '/characters', { name: 'Nowa', tags }, '@grupa')
    equal(await told(), false)
  })

  it('every other tag of a Postać is refused with the list of those that may be written', async () => {
    const own: ReadonlySet<string> = new Set(ownTags)
    const others = [...universalTags, ...tagsOfType('Postać')].filter(tag => !own.has(tag))
    ok(['grupa', 'lokacja', 'należy_do', 'status', 'nick', 'ref'].every(tag => others.includes(tag)))
    for (const tag of others) {
      await refused('PATCH', '/characters/Wilk', { tag, value: 'Odo' }, '@przedmiot_specjalny')
      await refused('PATCH', '/characters/Wilk', { tag: `@${tag.toUpperCase()}`, remove: true }, `@${tag}`)
    }
  })

  it('each listed tag is written, and made with a new Postać', async () => {
    for (const tag of ownTags) {
      const value = values[tag] ?? 'Zna port.'
      const { status, text } = await ask('PATCH', '/characters/Wilk', { tag, value })
      equal(status, 200, `${tag}: ${text}`)
    }
    const tags = Object.fromEntries(
      ownTags.map(tag => [tag, tag === 'alias' ? 'Rudy' : (values[tag] ?? 'x')]),
    )
    const { status, text } = await ask('POST', '/characters', {
      name: 'Lis',
      tags: { należy_do: 'Odo', ...tags },
    })
    equal(status, 201, text)
  })

  it('days before today are not changed: neither by a beginning, nor by an end, nor by a default', async () => {
    const patch = (more: object) => ({ tag: 'stan', value: 'Ranny.', ...more })
    for (const [more, word] of [
      [{ from: '2020' }, '`from`'],
      [{ from: '2026-06' }, '`from`'],
      [{ from: '2026-06-14' }, '`from`'],
      [{ from: null }, '`from`'],
      [{ to: '2026-05' }, '`to`'],
      [{ remove: true, to: '2025' }, '`to`'],
    ] as const)
      await refused('PATCH', '/characters/Wilk', patch(more), word)
    equal((await ask('PATCH', '/characters/Wilk', patch({}))).status, 200)
    ok(index().includes('- @stan: Zdrowy. (2024-01:2026-06-14)\n- @stan: Ranny. (2026-06-15:)\n'), index())
    equal(
      (await ask('PATCH', '/characters/Wilk', { tag: 'stan', value: 'Zdrów.', from: '2026-07' })).status,
      200,
    )
  })

  it('who holds player.write writes what a player does not', async () => {
    const body = JSON.stringify({ tag: 'grupa', value: 'Skarbiec', from: '2020-01' })
    equal((await front.client.ask('/characters/Wilk', { method: 'PATCH', body })).status, 200)
  })
})
