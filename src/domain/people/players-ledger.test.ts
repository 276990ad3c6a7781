import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey, playerListMax } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { sourceFile } from '#test/support/world.js'
import {
  findRecordedPlayer,
  onlinePlayer,
  type PlayersLedger,
  playersLedgerLinesMax,
  playersLedgerPath,
  readPlayersLedgerInSlices,
} from './players.js'

const readText = (text: string): PlayersLedger =>
  atOnce(readPlayersLedgerInSlices(sourceFile(playersLedgerPath, text)))
const row = (gameId: unknown, nick: unknown, charId: unknown, since: unknown): string =>
  JSON.stringify({ gameId, nick, charId, since })
const read = (...lines: ReadonlyArray<string>): PlayersLedger => readText(lines.join('\n'))
const byNick = (ledger: PlayersLedger, nick: string) =>
  findRecordedPlayer(ledger, { by: 'nick', key: nameKey(nick) })
const byId = (ledger: PlayersLedger, gameId: string) => findRecordedPlayer(ledger, { by: 'gameId', gameId })

describe('the ledger of players', () => {
  const ledger = read(
    row('7', 'Nowy', '12', '2025-03-01'),
    row(7, 'Stary', 11, '2023-01-05T10:00:00+01:00'),
    '',
    row('7', 'Środkowy', '11', '2024-01-05T10:00:00Z'),
    row('8', 'Stary', '20', '2025-01-01'),
  )

  it('orders the nicks of a game id by `since`, in whatever order its lines are', () => {
    deepEqual(byId(ledger, '7'), {
      gameId: '7',
      nick: 'Nowy',
      currentNick: 'Nowy',
      charId: '12',
      recorded: true,
      history: [
        { nick: 'Stary', charId: '11', since: '2023-01-05T10:00:00+01:00' },
        { nick: 'Środkowy', charId: '11', since: '2024-01-05T10:00:00Z' },
        { nick: 'Nowy', charId: '12', since: '2025-03-01' },
      ],
      historyTotal: 3,
      charIdChanges: [{ from: '11', to: '12', since: '2025-03-01' }],
      charIdChangesTotal: 1,
      otherGameIds: [],
      otherGameIdsTotal: 0,
    })
  })

  it('finds an old nick in any case and normal form, and says the present one', () => {
    const found = byNick(ledger, 'ŚRODKOWY'.normalize('NFD'))
    deepEqual([found?.gameId, found?.nick, found?.currentNick], ['7', 'Środkowy', 'Nowy'])
  })

  it('answers for the game id that has the nick now, and lists who had it before', () => {
    const found = byNick(ledger, 'stary')
    deepEqual([found?.gameId, found?.otherGameIds, found?.otherGameIdsTotal], ['8', ['7'], 1])
    const past = read(
      row('1', 'Lis', '1', '2020-01-01'),
      row('2', 'Lis', '2', '2021-01-01'),
      row('1', 'Wilk', '1', '2022-01-01'),
      row('2', 'Sowa', '2', '2022-01-01'),
    )
    deepEqual([byNick(past, 'Lis')?.gameId, byNick(past, 'Lis')?.otherGameIds], ['2', ['1']])
  })

  it('takes the later line of one moment for the newer one', () => {
    const same = read(row('1', 'A', '1', '2024-01-01'), row('1', 'B', '1', '2024-01-01'))
    equal(byId(same, '1')?.currentNick, 'B')
  })

  it('finds no player under an unknown nick or id, nor under names of the properties of objects', () => {
    for (const text of ['Nikt', 'constructor', '__proto__'])
      deepEqual([byNick(ledger, text), byId(ledger, text)], [null, null])
  })

  for (const [what, line] of [
    ['that is not JSON', '{'],
    ['that is no object', '[1]'],
    ['without a nick', row('7', undefined, '1', '2024-01-01')],
    ['with a blank nick', row('7', ' ', '1', '2024-01-01')],
    ['with a nick of two lines', row('7', 'a\nb', '1', '2024-01-01')],
    ['with a nick of 201 characters', row('7', 'a'.repeat(201), '1', '2024-01-01')],
    ['without a game id', row(null, 'A', '1', '2024-01-01')],
    ['with a game id that is no whole number', row(1.5, 'A', '1', '2024-01-01')],
    ['with a character id that is a list', row('7', 'A', ['1'], '2024-01-01')],
    ['without `since`', row('7', 'A', '1', undefined)],
    ['with a day that no month has', row('7', 'A', '1', '2024-02-30')],
    ['with an instant without its offset', row('7', 'A', '1', '2024-02-03T10:00:00')],
    ['of more characters than a row needs', row('7', 'A', '1', '2024-01-01').padStart(3000)],
    ['with a number as `since`', row('7', 'A', '1', 2024)],
  ] as const)
    it(`skips a line ${what}, with a finding`, () => {
      const found = read(row('9', 'Dobry', '1', '2024-01-01'), line)
      deepEqual(
        found.findings.map(({ kind, line: at, file }) => [kind, at, file]),
        [['PlayersLedgerLine', 2, playersLedgerPath]],
      )
      deepEqual([...found.byGameId.keys()], ['9'])
    })

  it('reports at most a hundred bad lines, and counts the others', () => {
    const { findings } = readText('zły\n'.repeat(1000))
    equal(findings.length, 101)
    ok(findings.at(-1)?.reason.includes('900'))
  })

  it('ends at the bound on lines, with a finding', () => {
    const found = readText(`x\n`.repeat(playersLedgerLinesMax + 3))
    deepEqual(
      [found.findings.at(-1)?.kind, found.findings.at(-1)?.line],
      ['PlayersLedgerAboveBound', playersLedgerLinesMax + 1],
    )
  })

  it('lists the newest hundred of each list, with the number of all', () => {
    const many = Array.from({ length: 250 }, (_, at) =>
      row(
        '7',
        `N${at}`,
        String(at),
        `${2000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`,
      ),
    )
    const found = byId(read(...many), '7')
    deepEqual(
      [found?.history.length, found?.historyTotal, found?.charIdChanges.length, found?.charIdChangesTotal],
      [playerListMax, 250, playerListMax, 249],
    )
    deepEqual([found?.history[0]?.nick, found?.history.at(-1)?.nick], ['N150', 'N249'])
    const shared = read(
      ...Array.from({ length: 250 }, (_, at) => row(String(at), 'Wspólny', '1', '2024-01-01')),
    )
    const one = byNick(shared, 'wspólny')
    deepEqual([one?.otherGameIds.length, one?.otherGameIdsTotal], [playerListMax, 249])
  })

  it('shows the history of a player whom the roster has under a new nick', () => {
    const player = { nick: 'Całkiem Nowy', nickKey: nameKey('Całkiem Nowy'), gameId: '7', charId: '13' }
    const found = onlinePlayer(ledger, player)
    deepEqual(
      [found.recorded, found.nick, found.currentNick, found.charId, found.historyTotal],
      [false, 'Całkiem Nowy', 'Całkiem Nowy', '13', 3],
    )
    deepEqual(onlinePlayer(ledger, { ...player, gameId: '99' }).history, [])
  })
})
