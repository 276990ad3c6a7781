import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { dayOf } from '#protocol/atoms/day.js'
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

const told = (date: string, ...intel: ReadonlyArray<string>) =>
  notifications(world(session(date, ...intel)), {})
const day = (text: string) => dayOf(text) ?? undefined

describe('notifications of sessions', () => {
  it('go to a group and its members on the day, by any of its names', () => {
    deepEqual(told('2025-05-01', 'Grupa/Cech Kupców: A')[0]?.recipients, ['Cech Kupców', 'Bogdan', 'Olga'])
    deepEqual(told('2024-05-01', 'Grupa/Kupcy: A')[0]?.recipients, ['Cech Kupców', 'Olga'])
    deepEqual(told('2026-05-01', 'Grupa/Cech Kupców: A')[0]?.recipients, ['Cech Kupców', 'Bogdan'])
  })

  it('go to a place, all below it and who is there on the day', () => {
    deepEqual(told('2025-05-01', 'Lokacja/Port: A')[0]?.recipients, ['Port', 'Karczma', 'Bogdan', 'Iga'])
    deepEqual(told('2026-05-01', 'Lokacja/Zamorze: A')[0]?.recipients, ['Zamorze', 'Port', 'Karczma', 'Iga'])
  })

  it('go to each name once, and to nobody where a name is nobody’s or of several', () => {
    deepEqual(told('2025-05-01', 'Anna, Bogdan, Anna: A')[0]?.recipients, ['Anna', 'Bogdan'])
    for (const target of ['Nikt', 'Bliźniak', 'Grupa/Port', 'Lokacja/Cech Kupców', 'grupa/Kupcy'])
      deepEqual(told('2025-05-01', `${target}: A`)[0]?.recipients, [], target)
  })

  it('tell the narrators by name, else as written', () => {
    equal(told('2025-05-01', 'Anna: A')[0]?.narrator, 'Brzoza')
    const strange = world(session('2025-05-01', 'Anna: A').replace('Brzoza', 'Ktoś Obcy'))
    equal(notifications(strange, {})[0]?.narrator, 'Ktoś Obcy')
  })

  it('are filtered by target or recipient, directive and days', () => {
    const all = world(
      session('2025-05-01', 'Grupa/Kupcy: A', 'Anna: B') + session('2025-06-01', 'Lokacja/Port: C'),
    )
    const messages = (filter: Parameters<typeof notifications>[1]) =>
      notifications(all, filter).map(one => one.message)
    deepEqual(messages({ target: 'BOGDAN' }), ['A', 'C'])
    deepEqual(messages({ target: 'kupcy' }), ['A'])
    deepEqual(messages({ directive: 'Direct' }), ['B'])
    deepEqual(messages({ from: day('2025-05-02') }), ['C'])
    deepEqual(messages({ to: day('2025-05-01'), directive: 'Grupa' }), ['A'])
  })

  it('never repeat a credential', () => {
    const [one] = told('2025-05-01', 'Anna: pisz na https://chat.example/api/webhooks/123/tajne')
    ok(one !== undefined && !JSON.stringify(one).includes('tajne'))
  })
})
