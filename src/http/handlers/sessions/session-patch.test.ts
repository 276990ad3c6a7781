import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { bridge, contractWorld, tower } from '#test/support/contract-world.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const old = '2022-03-01, Stara, Brzoza'
const oldText = [
  `### ${old}`,
  '*Lokalizacje: Zamorze, Port Zamorze*',
  '',
  'Pierwszy akapit.  ',
  '',
  '- PU:',
  '  - Iskra: 0,5',
  '- Nieznany: blok',
  '',
  'Logi: https://logi.example/1',
  'Logi: https://logi.example/2',
  'Drugi akapit.',
  '- Efekty:',
  '    - deszcz',
  '',
  '### 2022-04-01, Po niej, Brzoza',
  '',
].join('\r\n')

describe('changes of sessions', () => {
  let front: TestFront
  beforeEach(async () => {
    const world = contractWorld()
    // No batch, because the effects of a session with settled PU cannot be changed.
    const open = { '.svc/pu/batches.jsonl': '' }
    front = await testFront({ snapshot: worldOf({ ...textsOf(world), ...open, 'sesje/2022.md': oldText }) })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? contractWorld())
  const patch = async (header: string, body: object, query = '') => {
    const path = `/sessions/${encodeURIComponent(header)}${query}`
    const { status, json, text } = await front.client.ask(path, {
      method: 'PATCH',
      body: JSON.stringify(body),
    })
    ok(isFields(json), text)
    return { status, json, text }
  }
  const patched = async (header: string, body: object) => {
    const { status, json, text } = await patch(header, body)
    equal(status, 200, text)
    return json
  }
  const inOld = () => (texts()['sesje/2022.md'] ?? '').split('\r\n')
  const lines = oldText.split('\r\n')

  it('replace blocks of any generation in their place and leave every other line', async () => {
    const dry = await patch(old, { metadata: { pu: [{ character: 'Iskra', value: 1 }] } }, '?dryRun=true')
    match(String(dry.json['diff']), /^-- PU:\r?$\n^- {2}- Iskra: 0,5\r?$\n^\+- @PU:/m)
    await patched(old, { metadata: { pu: [{ character: 'Iskra', value: 1 }] } })
    deepEqual(inOld(), lines.toSpliced(5, 2, '- @PU:', '    - Iskra: 1'))
    await patched(old, { metadata: { locations: ['Zamorze'] } })
    deepEqual(inOld().slice(1, 4), ['- @Lokacje:', '    - Zamorze', ''])
    await patched(old, { metadata: { logs: ['https://logi.example/3'] } })
    match(texts()['sesje/2022.md'] ?? '', /- @Logi:\r\n {4}- https:\/\/logi.example\/3\r\nDrugi akapit/)
    await patched(old, { metadata: { logs: [] } })
    equal((texts()['sesje/2022.md'] ?? '').includes('logi.example'), false)
  })

  it('add blocks in their order, and remove them', async () => {
    const { text } = { text: texts()['sesje/2026.md'] ?? '' }
    const intel = [{ target: 'Iskra', message: 'wieść' }]
    await patched(tower, { metadata: { intel, logs: ['https://logi.example/7'], participants: ['Iskra'] } })
    match(
      texts()['sesje/2026.md'] ?? '',
      /Port Zamorze\n- @Logi:\n.*\n- @PU:\n.*\n- @Uczestnicy:\n {4}- Iskra\n- @Intel:\n.*\n\n?$/,
    )
    await patched(tower, { metadata: { intel: [], logs: [], participants: [] } })
    equal(texts()['sesje/2026.md'], text)
    const json = await patched(tower, {
      metadata: { intel: [], pu: [{ character: 'Wit Kłos', value: 0.25 }] },
    })
    deepEqual([json['changed'], json['files']], [false, []])
  })

  it('upgrade every copy by a request of its own, once', async () => {
    const dry = await patch(old, { upgrade: true }, '?dryRun=true')
    match(String(dry.json['diff']), /^-\*Lokalizacje: Zamorze, Port Zamorze\*\r?$\n^\+- @Lokacje:/m)
    deepEqual((await patched(old, { upgrade: true }))['files'], ['sesje/2022.md'])
    const places = ['- @Lokacje:', '    - Zamorze', '    - Port Zamorze']
    const logs = ['- @Logi:', '    - https://logi.example/1', '    - https://logi.example/2']
    const points = ['- @PU:', '    - Iskra: 0,5']
    const after = lines
      .toSpliced(9, 2, ...logs)
      .toSpliced(5, 2, ...points)
      .toSpliced(1, 1, ...places)
    deepEqual(inOld(), after)
    const again = await patched(old, { upgrade: true })
    deepEqual([again['changed'], again['files']], [false, []])
    for (const more of [{ content: 'x' }, { metadata: { logs: [] } }]) {
      const { status, json } = await patch(old, { ...more, upgrade: true })
      deepEqual([status, json['error'], json['field']], [422, 'ValueRefused', 'upgrade'])
    }
  })

  it('replace prose, and keep what is preserved', async () => {
    await patched(old, { content: 'Nowa proza.\n\n- lista' })
    const now = inOld()
    deepEqual(now.slice(3, 6), ['Nowa proza.', '', '- lista'])
    equal(now.includes('Drugi akapit.'), false)
    deepEqual(now.slice(-5), ['- Efekty:', '    - deszcz', '', '### 2022-04-01, Po niej, Brzoza', ''])
    await patched('2022-04-01, Po niej, Brzoza', { content: 'A jednak.' })
    equal((texts()['sesje/2022.md'] ?? '').endsWith('Po niej, Brzoza\r\n\r\nA jednak.\r\n'), true)
  })

  it('reach the same block of every copy, and prose of the primary one alone', async () => {
    const json = await patched(bridge, {
      content: 'Jeden opis.',
      metadata: { pu: [{ character: 'Iskra', value: 1 }] },
    })
    deepEqual(json['files'], ['sesje/2026.md', 'sesje/kopia.md'])
    match(texts()['sesje/kopia.md'] ?? '', /Inny opis mostu\.[^]*- @PU:\n {4}- Iskra: 1\n/)
    const { text } = await front.client.ask(`/sessions/${encodeURIComponent(bridge)}`)
    match(text, /"PU":\[\{"Character":"Iskra","Value":1\}\]/)
    match(text, /"Description":"Jeden opis\."/)
  })

  it('edit a staged draft', async () => {
    await patched('2026-06-10, Zasadzka, Brzoza', { content: 'Szkic.' })
    match(texts()['.svc/staged/szkic.md'] ?? '', /^<!-- file: sesje\/2026.md -->\n\n### .*\n\nSzkic\.\n$/)
  })

  it('accept their own text, and forgive no drift of another', async () => {
    await front.client.ask('/sessions/hash', { method: 'POST', body: '{}' })
    const drifts = async () => (await front.client.ask('/sessions/integrity')).text.includes('SessionDrift')
    await patched(tower, { content: 'Wit spadł.' })
    equal(await drifts(), false)
    front.serve(
      worldOf({ ...texts(), 'sesje/2026.md': (texts()['sesje/2026.md'] ?? '').replace('spadł', 'wstał') }),
    )
    await patched(tower, { metadata: { logs: ['https://logi.example/7'] } })
    equal(await drifts(), true)
  })

  it('refuse a header, forged text, names of nobody and sessions that are not', async () => {
    const refused: ReadonlyArray<readonly [object, string, string]> = [
      [{ title: 'Inny' }, 'ValueRefused', 'title'],
      [{ file: 'a.md' }, 'ValueRefused', 'file'],
      [{ content: 'a\n### 2026-01-01, b, c' }, 'ValueRefused', 'content'],
      [{ content: '```' }, 'ValueRefused', 'content'],
      [{ content: '- @PU:\n    - Iskra: 9' }, 'ValueRefused', 'content'],
      [{ metadata: { logs: ['nie adres'] } }, 'ValueRefused', 'metadata.logs'],
      [{ metadata: { locations: ['a\nb'] } }, 'ValueRefused', 'metadata.locations[0]'],
    ]
    const before = texts()
    for (const [body, error, field] of refused) {
      const { status, json, text } = await patch(tower, body)
      deepEqual([status, json['error'], json['field']], [422, error, field], text)
    }
    const nobody = await patch(tower, { metadata: { pu: [{ character: 'Nikt', value: 1 }] } })
    deepEqual([nobody.status, nobody.json['error']], [422, 'NameUnresolved'])
    equal((await patch('2020-01-01, Nie ma, N', {})).status, 404)
    deepEqual(texts(), before)
  })
})
