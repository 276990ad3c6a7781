import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { findPlayers, readRosterInSlices, rosterRowsMax } from './players.js'

const read = (text: string) => atOnce(readRosterInSlices(text))
const rosterOf = (...rows: ReadonlyArray<unknown>) => read(JSON.stringify(rows))

describe('the roster of the world', () => {
  it('is a list of rows, with ids as texts or numbers and fields that are ignored', () => {
    deepEqual(rosterOf({ nick: ' Lis ', gameId: 7, charId: '12', level: 3 }), [
      { nick: 'Lis', nickKey: nameKey('lis'), gameId: '7', charId: '12' },
    ])
    deepEqual(rosterOf(), [])
  })

  it('leaves out a row that is none', () => {
    const rows = rosterOf(
      null,
      7,
      'Lis',
      [],
      { nick: 'Lis', gameId: '7' },
      { nick: 'Lis', gameId: 7.5, charId: 1 },
      { nick: 'x'.repeat(201), gameId: '7', charId: '1' },
      { nick: 'a\u0000b', gameId: '7', charId: '1' },
      { nick: 'Sowa', gameId: '8', charId: 2 },
    )
    deepEqual(
      rows?.map(({ nick }) => nick),
      ['Sowa'],
    )
  })

  for (const [what, text] of [
    ['is not JSON', '<html>'],
    ['is no list', '{"players": []}'],
    ['is empty', ''],
    ['has rows and no valid one', '[{"name": "Lis"}]'],
    ['has too many rows', JSON.stringify(Array.from({ length: rosterRowsMax + 1 }, () => 0))],
  ] as const)
    it(`is malformed where it ${what}`, () => equal(read(text), null))

  it('finds the first row for each nick and game id that is sought', () => {
    const players = rosterOf(
      { nick: 'Lis', gameId: '7', charId: '1' },
      { nick: 'LIS', gameId: '8', charId: '2' },
      { nick: 'Sowa', gameId: '8', charId: '3' },
    )
    const found = findPlayers(players ?? [], [
      { by: 'nick', key: nameKey('lis') },
      { by: 'gameId', gameId: '8' },
      { by: 'nick', key: nameKey('8') },
    ])
    deepEqual(
      [...found].map(([text, { charId }]) => [text, charId]),
      [
        ['nick lis', '1'],
        ['gameId 8', '2'],
      ],
    )
  })
})
