import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { Notice } from '#src/domain/lore/changes.js'
import type { MonthAward } from '#src/domain/points/award.js'
import { recipientsIn } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { dec } from '#test/support/pu-world.js'
import { worldOf } from '#test/support/world.js'
import { awardNotices, intelMessages } from './notices.js'

const block = (name: string, ...rows: ReadonlyArray<string>): string =>
  [`### ${name}`, ...rows.map(row => `- @${row}`), ''].join('\n')

const people = ['## Gracz', block('Gosia', 'chat: sesje/gosia'), block('Bez Kanału', 'chat: BRAK')].join('\n')

const index = [
  block('Wit', 'typ: Postać', 'należy_do: Gosia', 'grupa: Kupcy (2026-01:)'),
  block('Anna', 'typ: Postać', 'należy_do: Gosia', 'grupa: Kupcy (2026-01:2026-04)'),
  block('Bruno', 'typ: Postać', 'należy_do: Bez Kanału', 'grupa: Kupcy'),
  block('Mag *Zła*', 'typ: NPC', 'grupa: Kupcy', 'chat: npc/mag'),
  block('Duch', 'typ: NPC', 'grupa: Kupcy', 'chat: npc/duch', 'status: Usunięty'),
  block('Cień', 'typ: NPC', 'grupa: Kupcy', 'chat: npc/cień', 'status: Niepewny'),
  block('Kupcy', 'typ: Grupa', 'chat: grupy/kupcy'),
].join('\n')

const sessionText = (...intel: ReadonlyArray<string>): string =>
  [
    '### 2026-05-10, Most_nocą, Gosia',
    '',
    'Opis.',
    '',
    '- @Intel:',
    ...intel.map(one => `    - ${one}`),
    '',
  ].join('\n')

const worldWith = (...intel: ReadonlyArray<string>): Snapshot =>
  worldOf({ 'kontrybutorzy.md': people, 'encje/indeks.md': index, 'sesje/maj.md': sessionText(...intel) })

const intelIn = (snapshot: Snapshot) => {
  const [session] = snapshot.sessions.all
  if (session === undefined) throw new Error('the world has a session')
  return intelMessages(snapshot, session, recipientsIn(snapshot.entities, snapshot.names, session))
}
const channelsOf = (notices: ReadonlyArray<Notice>): ReadonlyArray<string> =>
  notices.map(({ to }) => (isRight(to) ? `${to.right.category}/${to.right.channel}` : to.left)).sort()

describe('the messages of the Intel of a session', () => {
  it('are one for each entry and channel, on the day of the session, without Usunięty and Niepewny', () => {
    const { notices, withoutAddress } = intelIn(
      worldWith('Grupa/Kupcy: Szlak @everyone jest zamknięty', 'Wita: Uważaj'),
    )
    deepEqual(channelsOf(notices), ['grupy/kupcy', 'npc/mag', 'sesje/gosia', 'sesje/gosia'])
    deepEqual(withoutAddress, [{ target: 'Grupa/Kupcy', name: 'Bruno' }])
    deepEqual(notices.find(({ entity }) => entity.startsWith('Mag'))?.text.split('\n'), [
      'Intel z sesji „Most\\_nocą” (2026-05-10) dla: Mag \\*Zła\\*',
      '',
      'Szlak @everyone jest zamknięty',
    ])
    equal(new Set(notices.map(({ key }) => key)).size, notices.length)
  })

  it('name ten recipients of a shared channel and count the others', () => {
    const many = Array.from({ length: 13 }, (_, at) =>
      block(`N${at}`, 'typ: NPC', 'grupa: Straż', 'chat: npc/straż'),
    )
    const snapshot = worldOf({
      'encje/indeks.md': [...many, block('Straż', 'typ: Grupa')].join('\n'),
      'sesje/maj.md': sessionText('Grupa/Straż: Alarm'),
    })
    const { notices, withoutAddress } = intelIn(snapshot)
    const [one] = notices
    equal(notices.length, 1)
    ok(one?.text.includes('dla: N0, N1, N2, N3, N4, N5, N6, N7, N8, N9 i jeszcze 3\n'), one?.text)
    deepEqual(withoutAddress, [{ target: 'Grupa/Straż', name: 'Straż' }])
  })

  it('are parted where the platform takes no longer one', () => {
    const { notices } = intelIn(worldWith(`Wit: ${'🐉'.repeat(2_500)}`))
    deepEqual(
      notices.map(({ text }) => Array.from(text).length <= 2_000),
      [true, true, true],
    )
    equal(
      notices
        .map(({ text }) => text)
        .join('')
        .split('🐉').length - 1,
      2_500,
    )
  })

  it('reach those who are on record, whatever their group is now', () => {
    const snapshot = worldWith('Grupa/Kupcy: Szlak')
    const [session] = snapshot.sessions.all
    if (session === undefined) throw new Error('the world has a session')
    const { notices } = intelMessages(snapshot, session, [
      { target: 'Grupa/Kupcy', blocks: [{ heading: 'Anna', type: 'Postać' }] },
    ])
    deepEqual(channelsOf(notices), ['sesje/gosia'])
  })
})

const award = (character: string, player: string | null): MonthAward => ({
  character,
  player,
  sessions: [],
  base: dec('1'),
  used: dec('0'),
  overflow: dec('0'),
  granted: dec('1.5'),
  pool: dec('0'),
  sumaBefore: dec('20'),
  sumaAfter: dec('21.5'),
  zdobyteAfter: dec('1.5'),
  nadmiarBefore: dec('0'),
  nadmiarAfter: dec('0'),
})

describe('the notices of a batch', () => {
  const snapshot = worldWith()

  it('are one for each player, and say why one goes nowhere', () => {
    const awards = [
      award('Wit', 'Gosia'),
      award('Bruno', 'Bez Kanału'),
      award('Anna', 'Gosia'),
      award('Nikt', null),
    ]
    const notices = awardNotices(snapshot, '2026-05-x', awards)
    deepEqual(
      notices.map(({ entity, to }) => [entity, isLeft(to)]),
      [
        ['Gosia', false],
        ['Bez Kanału', true],
        ['Nikt', true],
      ],
    )
    ok(notices[0]?.text.includes('Postać "Wit" (Gracz "Gosia") otrzymuje 1.50 PU.'))
    ok(notices[0]?.text.includes('\n\nPostać "Anna"'))
  })

  it('are parted between two characters, each with a key of its own', () => {
    const awards = Array.from({ length: 40 }, (_, at) => award(`Postać ${at}`, 'Gosia'))
    const notices = awardNotices(snapshot, '2026-05-x', awards)
    deepEqual(
      notices.map(({ key }) => key),
      ['["2026-05-x","Gosia",1]', '["2026-05-x","Gosia",2]'].concat(
        notices.slice(2).map((_, at) => `["2026-05-x","Gosia",${at + 3}]`),
      ),
    )
    for (const { text } of notices) {
      ok(Array.from(text).length <= 2_000)
      ok(text.startsWith('Postać "') && text.endsWith('21.50'), 'whole characters')
    }
  })
})
