import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { archivedFiles, transcriptsInMemory } from '#test/support/transcripts.js'
import { worldOf } from '#test/support/world.js'

const session = (header: string, log: string, rest = ''): string =>
  `### ${header}\n\nProza.\n\n- @Logi:\n    - https://logi.example/${log}\n${rest}\n`

const index = `### Solmyr
- @typ: Gracz

### Anna Biała
- @typ: Postać
- @należy_do: Solmyr

### Borys
- @typ: Postać
- @należy_do: Gelu

### Gelu
- @typ: Gracz

### Erathia
- @typ: Lokacja

### Karczma
- @typ: Lokacja
- @lokacja: Erathia
`

const files = {
  'encje/indeks.md': index,
  'sesje/2026.md': [
    session('2026-01-01, Prowadzona, Solmyr', 'ran'),
    session('2026-01-02, Grana, Solmyr', 'played', '- @PU:\n    - Anna Biała: 0.5\n'),
    session('2026-01-03, Obie, Solmyr', 'both'),
    session('2026-01-04, Obie dalej, Gelu', 'both'),
    session('2026-01-05, Wpisana, Solmyr', 'listed', '- @Uczestnicy:\n    - Solmyr\n'),
  ].join('\n'),
  ...Object.fromEntries(
    ['ran', 'played', 'both', 'listed'].flatMap(name =>
      Object.entries(
        archivedFiles(name, `https://logi.example/${name}`, [
          '=== Erathia/Karczma ===',
          `Lokalny|Anna Biała|Jestem w sesji ${name}.`,
          'Globalny|Anna Biała|Tego nikt na miejscu nie słyszy.',
          'Lokalny|Borys|Widzę Annę Białą i Xardasa.',
          'Lokalny|Borys|Tematy zastrzeżone: pająki.',
        ]),
      ),
    ),
  ),
  ...archivedFiles('loose', 'https://logi.example/loose', ['Lokalny|Duch|Buu, Xardasie.']),
}

const callers = {
  logs: callerWith(['log.read']),
  all: callerWith(['log.read', 'player.restricted.read', 'entity.read', 'session.read']),
}

describe('what was said', () => {
  let front: TestFront | null = null
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const open = async () => {
    const snapshot = worldOf(files)
    const at = await testFront({
      snapshot,
      callers,
      node: nodeView({ transcripts: transcriptsInMemory(snapshot, files) }),
    })
    front = at
    return async (path: string, token: keyof typeof callers = 'logs') => {
      const { status, json } = await at.client.ask(path, { token })
      return { status, json }
    }
  }
  const items = (json: unknown): ReadonlyArray<unknown> => {
    const found = jsonField(json, 'items')
    return Array.isArray(found) ? found : []
  }
  const fieldsOf = (json: unknown, name: string) => items(json).map(one => jsonField(one, name))

  it('leaves out a narrator who only ran every session of a transcript, and keeps one who played or ran one', async () => {
    const ask = await open()
    const lines = await ask('/entities/Anna%20Bia%C5%82a/lines')
    deepEqual(fieldsOf(lines.json, 'Log'), ['played', 'both', 'listed'])
    const speech = await ask('/entities/Anna%20Bia%C5%82a/speech')
    deepEqual(
      ['Lines', 'Logs', 'First', 'Last'].map(name => jsonField(speech.json, name)),
      [3, 3, '2026-01-02', '2026-01-05'],
    )
    deepEqual(fieldsOf((await ask('/entities/Borys/lines?to=2026-01-01')).json, 'Log'), ['ran'])
  })

  it('reads a place as a place: lines of everybody below its heading, without those of who only ran', async () => {
    const ask = await open()
    for (const place of ['Erathia', 'Karczma']) {
      const lines = await ask(`/entities/${place}/lines?to=2026-01-02`)
      deepEqual(fieldsOf(lines.json, 'Speaker'), ['Borys', 'Anna Biała', 'Borys'], place)
    }
    const scenes = await ask('/entities/Karczma/scenes?to=2026-01-02')
    deepEqual(fieldsOf(scenes.json, 'PlaceResolved'), ['Karczma', 'Karczma'])
  })

  it('shows lines of restricted topics to callers with the right alone, and lets no search find them', async () => {
    const ask = await open()
    const path = '/entities/Borys/lines?to=2026-01-01'
    equal(items((await ask(path)).json).length, 1)
    equal(items((await ask(path, 'all')).json).length, 2)
    for (const token of ['logs', 'all'] as const)
      equal(jsonField((await ask('/logs/lines?text=paj%C4%85ki', token)).json, 'total'), 0)
    equal(jsonField((await ask('/logs/speakers?log=ran')).json, 'total'), 2)
    const whole = await ask('/logs/archive/ran?include=lines,meta')
    deepEqual([jsonField(whole.json, 'LineCount'), JSON.stringify(whole.json).includes('pająki')], [5, false])
  })

  it('finds the lines of others with a name in any form, and counts them by year', async () => {
    const ask = await open()
    const hits = await ask('/entities/Anna%20Bia%C5%82a/hits')
    deepEqual(fieldsOf(hits.json, 'Speaker'), ['Borys', 'Borys', 'Borys', 'Borys'])
    deepEqual(jsonField(items(hits.json)[0], 'Spans'), [{ start: 6, end: 16, text: 'Annę Białą' }])
    const mentions = await ask('/entities/Anna%20Bia%C5%82a/mentions')
    equal(jsonField(mentions.json, 'total'), 4)
  })

  it('answers a name that no block has and the corpus says, and no other', async () => {
    const ask = await open()
    const spirit = await ask('/entities/Duch/lines')
    deepEqual([spirit.status, jsonField(spirit.json, 'type')], [200, null])
    equal(items(spirit.json).length, 1)
    const named = await ask('/entities/Xardasa/hits')
    deepEqual([named.status, items(named.json).length], [200, 4])
    equal((await ask('/entities/Nikt/dossier')).status, 404)
  })

  it('cuts a dossier to what the caller may read, and to the day', async () => {
    const ask = await open()
    const path = '/entities/Anna%20Bia%C5%82a/dossier'
    const cut = await ask(path)
    deepEqual(
      ['Identity', 'Sessions'].map(part => jsonField(cut.json, part)),
      [null, null],
    )
    const whole = await ask(`${path}?asOf=2026-01-03`, 'all')
    const sessions = jsonField(whole.json, 'Sessions')
    ok(Array.isArray(sessions))
    deepEqual(
      sessions.map(one => [jsonField(one, 'Date'), jsonField(one, 'Tier')]),
      [
        ['2026-01-02', 'speech'],
        ['2026-01-03', 'speech'],
      ],
    )
    equal(jsonField(jsonField(whole.json, 'Speech'), 'Lines'), 2)
  })

  it('lists names of two transcripts that no block answers to, and transcripts that no session cites', async () => {
    const ask = await open()
    const { json } = await ask('/hygiene/orphans')
    deepEqual(jsonField(json, 'speakers'), [])
    deepEqual(jsonField(json, 'surfaces'), [{ name: 'Xardasa', logs: 4, lines: 4 }])
    deepEqual(jsonField(json, 'logs'), [{ log: 'loose', lines: 1 }])
  })
})
