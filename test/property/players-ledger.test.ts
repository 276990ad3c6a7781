import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import {
  findRecordedPlayer,
  type PlayersLedger,
  playersLedgerPath,
  readPlayersLedgerInSlices,
} from '#src/domain/people/players.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { sourceFile } from '#test/support/world.js'

interface Written {
  readonly gameId: string
  readonly nick: string
  readonly charId: string
  readonly since: string
}

const days = ['2023-01-01', '2023-01-01T00:00:00Z', '2023-06-01', '2024-02-29', '2025-01-01T10:00:00+02:00']

const written: fc.Arbitrary<Written> = fc.record({
  gameId: fc.constantFrom('1', '2', '3'),
  nick: fc.constantFrom('Lis', 'LIS', 'Sowa', 'Wilk', 'Żbik', 'Żbik'.normalize('NFD')),
  charId: fc.constantFrom('10', '11', '12'),
  since: fc.constantFrom(...days),
})

/** A line of the file: a row, or anything else, which the reader must survive. */
const line = fc.oneof(
  { weight: 5, arbitrary: written.map(row => ({ row, text: JSON.stringify(row) })) },
  { weight: 1, arbitrary: fc.string().map(text => ({ row: null, text: `x${text.replaceAll('\n', ' ')}` })) },
  { weight: 1, arbitrary: fc.json().map(json => ({ row: null, text: JSON.stringify([json]) })) },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', '{', 'null').map(text => ({ row: null, text })) },
)

const parse = (text: string): PlayersLedger =>
  atOnce(readPlayersLedgerInSlices(sourceFile(playersLedgerPath, text)))

/** The rows of a game id, oldest first, by definition: a stable sort by moment. */
const modelOf = (rows: ReadonlyArray<Written>, gameId: string): ReadonlyArray<Written> =>
  rows
    .filter(row => row.gameId === gameId)
    .sort((one, other) => Date.parse(one.since) - Date.parse(other.since))

describe('the reading of the ledger of players', () => {
  it('keeps every row, skips every other line with a finding, and orders by moment and line', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), (lines, newline) => {
        const ledger = parse(lines.map(({ text }) => text).join(newline))
        const rows = lines.flatMap(({ row }) => row ?? [])
        const bad = lines.filter(({ row, text }) => row === null && text.trim() !== '').length
        equal(ledger.findings.length, bad)
        equal(
          [...ledger.byGameId.values()].reduce((sum, one) => sum + one.length, 0),
          rows.length,
        )
        for (const gameId of ['1', '2', '3'])
          deepEqual(
            (ledger.byGameId.get(gameId) ?? []).map(({ nick, charId, since }) => ({ nick, charId, since })),
            modelOf(rows, gameId).map(({ nick, charId, since }) => ({ nick, charId, since })),
          )
      }),
    )
  })

  it('finds each nick that a row has, first with who has it now', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 20 }), rows => {
        const ledger = parse(rows.map(row => JSON.stringify(row)).join('\n'))
        for (const { nick } of rows) {
          const key = nameKey(nick)
          const found = findRecordedPlayer(ledger, { by: 'nick', key })
          if (found === null) throw new Error(`${nick} is not found`)
          const holders = new Set(rows.filter(one => nameKey(one.nick) === key).map(({ gameId }) => gameId))
          deepEqual(new Set([found.gameId, ...found.otherGameIds]), holders)
          equal(nameKey(found.nick), key)
          const current = [...holders].filter(
            gameId => nameKey(modelOf(rows, gameId).at(-1)?.nick ?? '') === key,
          )
          ok(current.length === 0 || current.includes(found.gameId))
        }
      }),
    )
  })
})
