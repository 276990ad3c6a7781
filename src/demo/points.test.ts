import assert from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { AwardPreview } from '#protocol/lore/points.js'
import { moneyLedger } from '#src/domain/audit/money-ledger.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { planAward } from '#src/writing/points.js'
import { day, worldOf } from '#test/support/world.js'
import { demoWorld } from './world.js'

const cents = (value: number | string | null | undefined): number =>
  Math.round(Number(value ?? Number.NaN) * 100)

describe('PU of the demo world', () => {
  const world = demoWorld({ seed: 'punkty' })
  const files = Object.fromEntries(
    world.commits.flatMap(commit => commit.changes.map(change => [change.path, change.text])),
  )
  const snapshot = worldOf(files)
  const characters = snapshot.entities.byType.get('Postać') ?? []
  const rowOf = (name: string, tag: string): string | undefined =>
    characters.find(one => one.name === name)?.rows.find(row => row.tag === tag)?.value

  const withPoints = snapshot.sessions.all
    .filter(session => session.points.length > 0)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))

  const late = withPoints.findLast(({ date }) => date < day('2026-06-01'))

  it('settles every session with PU up to May 2026 once, but the last', () => {
    const settled = snapshot.batches.all.flatMap(batch => batch.sessions)
    const due = withPoints
      .filter(session => session.date < day('2026-06-01') && session !== late)
      .map(session => session.header)
    assert.deepEqual([...settled].sort(), [...due].sort())
    assert.ok(due.length > 50)
  })

  it('has a month to settle, and a late session of a settled month, which its next batch tops up', () => {
    const previewOf = (month: string): AwardPreview => {
      const planned = planAward(snapshot, { month, jobId: null, dryRun: true, nowMs: 0 })
      assert.ok(isRight(planned))
      const preview = { ...planned.right.preview, diff: '' }
      assert.ok(AwardPreview.is(preview))
      return preview
    }
    const [may, june] = [previewOf('2026-05'), previewOf('2026-06')]
    for (const { Blocked, Unresolved, Drift, Awards } of [may, june]) {
      assert.deepEqual([Blocked, Unresolved, Drift], [[], [], []])
      assert.ok(Awards.some(({ Granted }) => Granted > 0))
    }
    assert.ok(may.SkippedAlreadyCounted > 0)
    assert.equal(june.SkippedAlreadyCounted, 0)
    assert.deepEqual(may.CountedSessions, [late?.header])
    const entered = world.commits.find(({ changes }) =>
      changes.some(({ text }) => text.includes(`### ${late?.header}\n`)),
    )
    assert.ok(entered !== undefined && entered.at > '2026-06-04')
  })

  it('pays people from the purse of a group beside the sessions', () => {
    assert.deepEqual(snapshot.moves.findings, [])
    const { items } = atOnce(moneyLedger(snapshot, null, {}, { named: false, limit: null, offset: 0 }))
    const states = new Set(items.filter(({ move }) => move !== null).map(({ state }) => state))
    assert.deepEqual([...states], ['applied'])
    assert.ok(items.some(({ move, state }) => move === null && state === 'applied'))
  })

  it('has maps without a size', () => {
    const sized = (snapshot.entities.byType.get('Mapa') ?? []).map(map =>
      map.rows.some(row => row.tag === 'wymiary'),
    )
    assert.deepEqual([...new Set(sized)].toSorted(), [false, true])
  })

  it('grants by base, cap and pool, and chains from batch to batch', () => {
    const byHeader = new Map(snapshot.sessions.all.map(session => [session.header, session]))
    const suma = new Map<string, number>()
    let checked = 0
    for (const batch of snapshot.batches.all.filter(one => one.source === 'batch'))
      for (const award of batch.awards) {
        const earned = batch.sessions
          .flatMap(header => byHeader.get(header)?.points ?? [])
          .filter(entry => entry.character === award.character)
          .reduce((sum, entry) => sum + cents(entry.value), 0)
        const pool = cents(award.nadmiarBefore)
        const base = 100 + earned
        const used = base <= 500 && pool > 0 ? Math.min(500 - base, pool) : 0
        assert.equal(cents(award.granted), Math.min(base + used, 500))
        assert.equal(cents(award.nadmiarAfter), pool - used + Math.max(base - 500, 0))
        assert.equal(cents(award.sumaAfter), cents(award.sumaBefore) + cents(award.granted))
        const before = suma.get(award.character)
        if (before !== undefined) assert.equal(cents(award.sumaBefore), before)
        suma.set(award.character, cents(award.sumaAfter))
        checked += 1
      }
    assert.ok(checked > 50)
    for (const [name, value] of suma) assert.equal(cents(rowOf(name, 'pu_suma')), value)
  })

  it('keeps SUMA = STARTOWE + ZDOBYTE in every block', () => {
    assert.equal(characters.length, world.sizes.characters)
    for (const { name } of characters) {
      const start = cents(rowOf(name, 'pu_startowe'))
      assert.ok(start >= 2000)
      if (rowOf(name, 'pu_suma') === undefined) continue
      assert.equal(cents(rowOf(name, 'pu_suma')), start + cents(rowOf(name, 'pu_zdobyte')))
    }
  })

  it('leaves the sessions of the last weeks open and records the others as closed', () => {
    const { closed } = snapshot.closeLedger
    const open = snapshot.sessions.all.filter(session => !closed.has(ledgerKeyOf(session)))
    assert.ok(open.length > 0)
    assert.ok(open.every(session => session.date >= day('2026-05-22') || session === late))
    assert.equal(open.length + closed.size, snapshot.sessions.all.length)
  })

  it('never pays from a stack more than it holds', () => {
    const held = new Map<string, number>()
    const key = (short: string, owner: string): string => `${short} ${owner}`
    for (const entity of snapshot.entities.byType.get('Przedmiot') ?? []) {
      const row = entity.rows.find(one => one.tag === 'ilość' && one.source._tag === 'File')
      if (row !== undefined) held.set(entity.name, Number(row.value))
    }
    let paid = 0
    for (const session of snapshot.sessions.all)
      for (const { amount, denomination, source, destination } of session.transfers) {
        const [from, to] = [held.get(key(denomination, source)), held.get(key(denomination, destination))]
        assert.ok(from !== undefined && to !== undefined && from >= amount, session.header)
        held.set(key(denomination, source), from - amount)
        held.set(key(denomination, destination), to + amount)
        paid += 1
      }
    assert.ok(paid > 0)
  })
})
