import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { dayOf } from '#protocol/atoms.js'
import type { Window, Windowed } from '#protocol/list.js'
import type { Notification } from '#protocol/lore/audit.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { processorTimeMs, slowness } from '#test/support/processor-time.js'
import { worldOf } from '#test/support/world.js'
import { notifications } from './notifications.js'

const index = `### Cech Kupców
- @typ: Grupa
- @alias: Kupcy

### Bogdan
- @typ: NPC
- @grupa: cech kupców (2024-06:)
- @lokacja: Zamorze/Port (:2025-12)

### Olga
- @typ: NPC
- @grupa: Kupcy
- @status: Usunięty (2026-01:)

### Zamorze
- @typ: Lokacja

### Port
- @typ: Lokacja
- @lokacja: Zamorze

### Karczma
- @typ: Lokacja
- @lokacja: Port

### Iga
- @typ: NPC
- @lokacja: Karczma

### Anna
- @typ: NPC
- @alias: Ania

### Ania
- @typ: Przedmiot
- @alias: Bliźniak

### Strażnik
- @typ: NPC
- @alias: Bliźniak
`

const session = (date: string, ...intel: ReadonlyArray<string>): string =>
  `### ${date}, Wieści, Brzoza\n\nOpis.\n\n- @Intel:\n${intel.map(one => `    - ${one}\n`).join('')}\n`

const world = (sessions: string) =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': index,
    'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 41001\n',
    'sesje/a.md': sessions,
  })

const all = { named: false, limit: null, offset: 0 }

const listNotifications = (
  snapshot: Snapshot,
  filter: Parameters<typeof notifications>[1] = {},
  window: Window = all,
): Windowed<Notification> => atOnce(notifications(snapshot, filter, window))

const notify = (date: string, ...intel: ReadonlyArray<string>) =>
  listNotifications(world(session(date, ...intel))).items
const day = (text: string) => dayOf(text) ?? undefined

describe('notifications of sessions', () => {
  it('go to a group and its members on the day, by any of its names', () => {
    deepEqual(notify('2025-05-01', 'Grupa/Cech Kupców: A')[0]?.recipients, ['Cech Kupców', 'Bogdan', 'Olga'])
    deepEqual(notify('2024-05-01', 'Grupa/Kupcy: A')[0]?.recipients, ['Cech Kupców', 'Olga'])
    deepEqual(notify('2026-05-01', 'Grupa/Cech Kupców: A')[0]?.recipients, ['Cech Kupców', 'Bogdan'])
  })

  it('go to a place, all below it and who is there on the day', () => {
    deepEqual(notify('2025-05-01', 'Lokacja/Port: A')[0]?.recipients, ['Port', 'Karczma', 'Bogdan', 'Iga'])
    deepEqual(notify('2026-05-01', 'Lokacja/Zamorze: A')[0]?.recipients, [
      'Zamorze',
      'Port',
      'Karczma',
      'Iga',
    ])
  })

  it('go to each name once, and to nobody where a name is nobody’s or of several', () => {
    deepEqual(notify('2025-05-01', 'Anna, Bogdan, Anna: A')[0]?.recipients, ['Anna', 'Bogdan'])
    for (const target of ['Nikt', 'Bliźniak', 'Grupa/Port', 'Lokacja/Cech Kupców', 'grupa/Kupcy'])
      deepEqual(notify('2025-05-01', `${target}: A`)[0]?.recipients, [], target)
  })

  it('tell the narrators by name, else as written', () => {
    equal(notify('2025-05-01', 'Anna: A')[0]?.narrator, 'Brzoza')
    const strange = world(session('2025-05-01', 'Anna: A').replace('Brzoza', 'Ktoś Obcy'))
    equal(listNotifications(strange).items[0]?.narrator, 'Ktoś Obcy')
  })

  it('are filtered by target or recipient, directive and days', () => {
    const both = world(
      session('2025-05-01', 'Grupa/Kupcy: A', 'Anna: B') + session('2025-06-01', 'Lokacja/Port: C'),
    )
    const messages = (filter: Parameters<typeof notifications>[1]) =>
      listNotifications(both, filter).items.map(one => one.message)
    deepEqual(messages({ target: 'BOGDAN' }), ['A', 'C'])
    deepEqual(messages({ target: 'kupcy' }), ['A'])
    deepEqual(messages({ target: 'Grupa/Cech Kupców' }), ['A'])
    deepEqual(messages({ target: 'Lokacja/Portu' }), ['C'])
    deepEqual(messages({ target: 'Lokacja/Anna' }), [])
    deepEqual(messages({ directive: 'Direct' }), ['B'])
    deepEqual(messages({ from: day('2025-05-02') }), ['C'])
    deepEqual(messages({ to: day('2025-05-01'), directive: 'Grupa' }), ['A'])
  })

  it('are filtered by each name of a target, also one that nobody has, that is of several or that is deleted', () => {
    const odd = world(
      session('2026-05-01', 'Anna, Nikt: A', 'Bliźniak: B', 'Olgi: C', 'Lokacja/Cech Kupców: D', 'nikt: E'),
    )
    const messages = (target: string) => listNotifications(odd, { target }).items.map(one => one.message)
    deepEqual(messages('Nikt'), ['A', 'E'])
    deepEqual(messages('Anny'), ['A'])
    deepEqual(messages('Anna, Nikt'), ['A'])
    deepEqual(messages('Bliźniak'), ['B'])
    deepEqual(messages('Olga'), ['C'])
    deepEqual(messages('Kupcy'), ['D'])
    deepEqual(messages('Bogdan'), [])
  })

  it('of a session of several days are in a window that begins within it', () => {
    const long = world(session('2025-05-01/04', 'Anna: A'))
    const count = (from: string, to: string) =>
      listNotifications(long, { from: day(from), to: day(to) }).items.length
    deepEqual(
      [
        count('2025-05-04', '2025-06-01'),
        count('2025-05-02', '2025-05-03'),
        count('2025-05-05', '2025-06-01'),
      ],
      [1, 1, 0],
    )
  })

  it('come in windows, with or without a name asked for', () => {
    const three = world(session('2025-05-01', 'Anna: A', 'Anna, Bogdan: B', 'Bogdan: C'))
    const messages = (filter: Parameters<typeof notifications>[1], limit: number, offset: number) => {
      const { items, total } = listNotifications(three, filter, { named: true, limit, offset })
      return [items.map(one => one.message), total]
    }
    deepEqual(messages({}, 2, 1), [['B', 'C'], 3])
    deepEqual(messages({ target: 'Bogdan' }, 1, 1), [['C'], 2])
  })

  it('of places with thousands of inhabitants are looked up for one page, and name 200', () => {
    const people = Array.from({ length: 2_000 }, (_, at) => `### Ktoś ${at}\n- @typ: NPC\n- @lokacja: Port\n`)
    const lines = Array.from({ length: 400 }, (_, at) => `Lokacja/Port: ${at}`)
    const snapshot = worldOf({
      'encje/indeks.md': `### Port\n- @typ: Lokacja\n\n${people.join('\n')}`,
      'sesje/a.md': session('2025-05-01', ...lines),
    })
    const startMs = processorTimeMs()
    const { items } = listNotifications(snapshot, {}, { named: true, limit: 5, offset: 0 })
    ok((processorTimeMs() - startMs) / slowness() < 1_000)
    deepEqual([items.length, items[0]?.count, items[0]?.recipients.length], [5, 2_001, 200])
  })

  it('never repeat a credential', () => {
    const [one] = notify('2025-05-01', 'Anna: pisz na https://chat.example/api/webhooks/123/tajne')
    ok(one !== undefined && !JSON.stringify(one).includes('tajne'))
  })
})
